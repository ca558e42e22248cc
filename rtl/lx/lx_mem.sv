`default_nettype none
// The LX scratchpad: 16 single-port banks of sticks, four readers and three writers.
//
// Stick s is in bank s[3:0] ^ s[7:4] ^ s[11:8], row s[13:4]. Each bank takes one request per cycle, round robin among the ports
// that want it; ports that want different banks do not disturb each other.
//
// Latency: a read that is taken in one cycle is answered two cycles later (so in order); a write is done when it is taken: a read
// taken later, on any port, sees it. Bytes without their strobe keep their value.
// Handshake: valid/ready for requests (ready depends on the valids of all ports); responses are always accepted.
module lx_mem (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,

  input  wire logic [3:0]      rd_valid_i,
  output logic      [3:0]      rd_ready_o,
  input  wire logic [4*14-1:0] rd_addr_i,
  output logic      [3:0]      rsp_valid_o,
  output logic      [1023:0]   rsp_data0_o,
  output logic      [1023:0]   rsp_data1_o,
  output logic      [1023:0]   rsp_data2_o,
  output logic      [1023:0]   rsp_data3_o,

  input  wire logic [2:0]      wr_valid_i,
  output logic      [2:0]      wr_ready_o,
  input  wire logic [3*14-1:0] wr_addr_i,
  input  wire logic [1023:0]   wr_data0_i,
  input  wire logic [1023:0]   wr_data1_i,
  input  wire logic [1023:0]   wr_data2_i,
  input  wire logic [127:0]    wr_strb0_i,
  input  wire logic [127:0]    wr_strb1_i,
  input  wire logic [127:0]    wr_strb2_i
);
  localparam int BANKS = stp_pkg::LX_BANKS;

  // ---------------------------------------------------------------- requests: readers 0..3, writers 4..6
  wire [6:0] valid = {wr_valid_i, rd_valid_i};
  wire [7*14-1:0] addr = {wr_addr_i, rd_addr_i};
  logic [7*4-1:0] bank;
  logic [7*10-1:0] row;
  always_comb begin
    for (int i = 0; i < 7; i++) begin
      bank[4*i+:4] = addr[14*i+:4] ^ addr[14*i+4+:4] ^ addr[14*i+8+:4];
      row[10*i+:10] = addr[14*i+4+:10];
    end
  end

  // A strobe bit covers eight mask bits.
  logic [1023:0] mask0, mask1, mask2;
  always_comb begin
    mask0 = '1;
    if (wr_valid_i[0] && wr_strb0_i != '1) for (int i = 0; i < 128; i++) mask0[8*i+:8] = {8{wr_strb0_i[i]}};
  end
  always_comb begin
    mask1 = '1;
    if (wr_valid_i[1] && wr_strb1_i != '1) for (int i = 0; i < 128; i++) mask1[8*i+:8] = {8{wr_strb1_i[i]}};
  end
  always_comb begin
    mask2 = '1;
    if (wr_valid_i[2] && wr_strb2_i != '1) for (int i = 0; i < 128; i++) mask2[8*i+:8] = {8{wr_strb2_i[i]}};
  end

  // ---------------------------------------------------------------- banks
  logic [7*BANKS-1:0] gnt;
  logic [1023:0] rdata [BANKS];

  for (genvar b = 0; b < BANKS; b++) begin : g_bank
    logic [6:0] req;
    always_comb begin
      req = '0;
      for (int i = 0; i < 7; i++) req[i] = valid[i] && bank[4*i+:4] == 4'(b);
    end

    lx_bank u_bank (
      .clk_i,
      .rst_ni,
      .req_i      (req),
      .gnt_o      (gnt[7*b+:7]),
      .row_i      (row),
      .wr_data0_i,
      .wr_data1_i,
      .wr_data2_i,
      .wr_mask0_i (mask0),
      .wr_mask1_i (mask1),
      .wr_mask2_i (mask2),
      .rdata_o    (rdata[b])
    );
  end

  logic [6:0] ready;
  always_comb begin
    ready = '0;
    for (int b = 0; b < BANKS; b++) ready = ready | gnt[7*b+:7];
  end
  assign rd_ready_o = ready[3:0];
  assign wr_ready_o = ready[6:4];

  // ---------------------------------------------------------------- responses
  logic [3:0] read_q, rsp_q;
  logic [3:0] bank0_q, bank1_q, bank2_q, bank3_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q <= '0;
      rsp_q <= '0;
    end else begin
      read_q <= rd_valid_i & rd_ready_o;
      rsp_q <= read_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rd_valid_i[0]) bank0_q <= bank[0*4+:4];
    if (rd_valid_i[1]) bank1_q <= bank[1*4+:4];
    if (rd_valid_i[2]) bank2_q <= bank[2*4+:4];
    if (rd_valid_i[3]) bank3_q <= bank[3*4+:4];
    if (read_q[0]) rsp_data0_o <= rdata[bank0_q];
    if (read_q[1]) rsp_data1_o <= rdata[bank1_q];
    if (read_q[2]) rsp_data2_o <= rdata[bank2_q];
    if (read_q[3]) rsp_data3_o <= rdata[bank3_q];
  end
  assign rsp_valid_o = rsp_q;
endmodule
`default_nettype wire
