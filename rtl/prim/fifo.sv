`default_nettype none
// Small FIFO of words, with registers as storage.
//
// Latency: a word that is pushed in one cycle can leave in the next; one word per cycle in and out. clear_i empties it.
// Handshake: valid/ready on both sides, ready does not depend on the other side. DEPTH is a power of two.
module fifo #(
  parameter int unsigned WIDTH = 8,
  parameter int unsigned DEPTH = 2
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             clear_i,
  input  wire logic             in_valid_i,
  output logic                  in_ready_o,
  input  wire logic [WIDTH-1:0] in_data_i,
  output logic                  out_valid_o,
  input  wire logic             out_ready_i,
  output logic      [WIDTH-1:0] out_data_o
);
  localparam int unsigned PW = $clog2(DEPTH);

  logic [WIDTH-1:0] mem [DEPTH];
  logic [PW:0] wptr_q, rptr_q;

  wire push = in_valid_i & in_ready_o;
  wire pop = out_valid_o & out_ready_i;

  assign out_valid_o = wptr_q != rptr_q;
  assign in_ready_o = (wptr_q[PW-1:0] != rptr_q[PW-1:0]) | (wptr_q[PW] == rptr_q[PW]);
  assign out_data_o = mem[rptr_q[PW-1:0]];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wptr_q <= '0;
      rptr_q <= '0;
    end else if (clear_i) begin
      wptr_q <= '0;
      rptr_q <= '0;
    end else begin
      if (push) wptr_q <= wptr_q + 1'b1;
      if (pop) rptr_q <= rptr_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) if (push) mem[wptr_q[PW-1:0]] <= in_data_i;
endmodule
`default_nettype wire
