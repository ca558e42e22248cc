`default_nettype none
// Reset synchroniser: rst_no falls with rst_ni at once and rises two clock edges after it.
module rst_sync (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  output logic      rst_no
);
  logic [1:0] sync_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sync_q <= '0;
    else sync_q <= {sync_q[0], 1'b1};
  end
  assign rst_no = sync_q[1];
endmodule
`default_nettype wire
