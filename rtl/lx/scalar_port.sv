`default_nettype none
// The LX port of scalar loads, shared by the sequencers that reach LX: round robin, one load per cycle.
//
// Latency: a load that is taken in one cycle is answered two cycles later, on rsp_valid_o of its requester, extended to 64 bits.
// Handshake: valid/ready for requests; responses are always accepted. Addresses are inside LX and aligned to their size
// (log2 of bytes): the sequencer has checked.
module scalar_port #(
  parameter int N = 6
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,

  input  wire logic [N-1:0]    req_valid_i,
  output logic      [N-1:0]    req_ready_o,
  input  wire logic [N*21-1:0] req_addr_i,
  input  wire logic [N*2-1:0]  req_size_i,
  input  wire logic [N-1:0]    req_sext_i,
  output logic      [N-1:0]    rsp_valid_o,
  output logic      [63:0]     rsp_data_o,

  output logic                 lx_req_valid_o,
  input  wire logic            lx_req_ready_i,
  output logic      [13:0]     lx_req_addr_o,
  input  wire logic            lx_rsp_valid_i,
  input  wire logic [1023:0]   lx_rsp_data_i
);
  logic [N-1:0] gnt;
  rr_arbiter #(
    .N (N)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i  (req_valid_i),
    .take_i (lx_req_ready_i),
    .gnt_o  (gnt)
  );

  logic [20:0] addr;
  logic [1:0] size;
  logic sext;
  always_comb begin
    addr = '0;
    size = '0;
    sext = 1'b0;
    if (req_valid_i != '0) begin
      for (int i = 0; i < N; i++) begin
        if (gnt[i]) begin
          addr = req_addr_i[21*i+:21];
          size = req_size_i[2*i+:2];
          sext = req_sext_i[i];
        end
      end
    end
  end

  assign lx_req_valid_o = req_valid_i != '0;
  assign lx_req_addr_o = addr[20:7];
  assign req_ready_o = lx_req_ready_i ? gnt : '0;

  // What is under way, for the two cycles of LX.
  logic [N-1:0] who1_q, who2_q;
  logic [6:0] at1_q, at2_q;
  logic [1:0] size1_q, size2_q;
  logic sext1_q, sext2_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      who1_q <= '0;
      who2_q <= '0;
    end else begin
      who1_q <= req_ready_o & req_valid_i;
      who2_q <= who1_q;
    end
  end
  always_ff @(posedge clk_i) begin
    at1_q <= addr[6:0];
    at2_q <= at1_q;
    size1_q <= size;
    size2_q <= size1_q;
    sext1_q <= sext;
    sext2_q <= sext1_q;
  end

  logic [63:0] word;
  always_comb begin
    word = '0;
    rsp_data_o = '0;
    if (lx_rsp_valid_i) begin
      word = lx_rsp_data_i[{at2_q[6:3], 6'd0}+:64] >> {at2_q[2:0], 3'd0};
      case (size2_q)
        2'd0: rsp_data_o = {{56{sext2_q & word[7]}}, word[7:0]};
        2'd1: rsp_data_o = {{48{sext2_q & word[15]}}, word[15:0]};
        2'd2: rsp_data_o = {{32{sext2_q & word[31]}}, word[31:0]};
        default: rsp_data_o = word;
      endcase
    end
  end
  assign rsp_valid_o = lx_rsp_valid_i ? who2_q : '0;
endmodule
`default_nettype wire
