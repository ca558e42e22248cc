`default_nettype none
// Round-robin arbiter: grants one of N requests; after a grant that is used, the next requester has the highest priority.
//
// Latency: the grant is combinational. Handshake: take_i says that the granted request is accepted in this cycle.
module rr_arbiter #(
  parameter int unsigned N = 4
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic [N-1:0] req_i,
  input  wire logic         take_i,
  output logic      [N-1:0] gnt_o
);
  // Ones from the requester that has the highest priority upwards.
  logic [N-1:0] mask_q;
  logic [N-1:0] high, low_gnt, high_gnt;

  // x & -x is the lowest one of x.
  assign high = req_i & mask_q;
  assign high_gnt = high & (~high + 1'b1);
  assign low_gnt = req_i & (~req_i + 1'b1);
  assign gnt_o = (high != '0) ? high_gnt : low_gnt;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mask_q <= '1;
    // All places above the granted one; none above the last: then the lowest request wins again.
    else if (take_i & (req_i != '0)) mask_q <= ~(gnt_o | (gnt_o - 1'b1));
  end
endmodule
`default_nettype wire
