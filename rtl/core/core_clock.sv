`default_nettype none
// The clock of a core: it runs while anything goes on in the core, and HOLD cycles longer, in which pipelines and filters come to rest.
//
// Whoever sends the core something says so in the same cycle, in wake_i; busy_i is the core's own word that it is at work. A core
// whose clock stands still would not change its state with it, so nobody can tell but by the power (in simulation: the time) that
// it saves.
//
// Latency: wake_i and busy_i of a cycle decide on the clock edge at its end.
module core_clock #(
  parameter int unsigned HOLD = 64
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic wake_i,
  input  wire logic busy_i,
  output wire logic clk_o
);
  localparam int unsigned HW = $clog2(HOLD + 1);

  logic [HW-1:0] hold_q;
  wire awake = wake_i | busy_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hold_q <= HW'(HOLD);
    else if (awake) hold_q <= HW'(HOLD);
    else if (hold_q != '0) hold_q <= hold_q - 1'b1;
  end

  clk_gate u_gate (
    .clk_i,
    .en_i  (awake | (hold_q != '0)),
    .clk_o
  );
endmodule
`default_nettype wire
