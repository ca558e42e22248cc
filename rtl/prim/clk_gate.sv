`default_nettype none
// Clock gate: clk_o is clk_i in the cycles for which en_i was high before they began, and low in the others.
//
// Latency: en_i, from flip-flops on clk_i, is looked at while clk_i is low, and decides on the next pulse. Handshake: none.
//
// In a technology with a cell for it, that takes this module's place.
module clk_gate (
  input  wire logic clk_i,
  input  wire logic en_i,
  output wire logic clk_o
);
  logic en_q;
  always_latch if (!clk_i) en_q = en_i;
  assign clk_o = clk_i & en_q;
endmodule
`default_nettype wire
