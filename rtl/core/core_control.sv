`default_nettype none
// Start, clear and halt of a core, and whether it has come to rest.
//
// clear_i, halt_i and start_mask_i are pulses; they reach the units one cycle later. halt_o is a level from a halt to the next clear.
// A core is quiet once every unit that runs has been blocked for QUIET cycles in a row: then nothing will ever move, because a
// blocked unit waits for a FIFO or a token of another unit, and has no memory access in flight. stopped_o: something was started
// since the last clear, and no unit runs or the core is quiet. deadlock_o: quiet, units run, and none trapped.
//
// Latency: one cycle for the pulses, one for started/quiet.
module core_control #(
  parameter int unsigned QUIET = 64
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  input  wire logic                       clear_i,
  input  wire logic                       halt_i,
  input  wire logic [stp_pkg::UNITS-1:0]  start_mask_i,

  input  wire logic [stp_pkg::UNITS-1:0]  running_i,
  input  wire logic [stp_pkg::UNITS-1:0]  trapped_i,
  input  wire logic [stp_pkg::UNITS-1:0]  blocked_i,

  output logic                            clear_o,
  output logic                            halt_o,
  output logic      [stp_pkg::UNITS-1:0]  start_o,
  output logic                            stopped_o,
  output logic                            deadlock_o
);
  localparam int unsigned QW = $clog2(QUIET + 1);

  logic clear_q, halt_q, started_q;
  logic [stp_pkg::UNITS-1:0] start_q;
  logic [QW-1:0] quiet_q;

  wire still = (running_i != '0) & ((running_i & ~blocked_i) == '0) & (start_q == '0);
  wire quiet = quiet_q == QW'(QUIET);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= 1'b0;
      halt_q <= 1'b0;
      start_q <= '0;
      started_q <= 1'b0;
      quiet_q <= '0;
    end else begin
      clear_q <= clear_i;
      start_q <= start_mask_i;
      if (halt_i) halt_q <= 1'b1;
      else if (clear_q) halt_q <= 1'b0;
      if (start_q != '0) started_q <= 1'b1;
      else if (clear_q) started_q <= 1'b0;
      if (!still | clear_q) quiet_q <= '0;
      else if (!quiet) quiet_q <= quiet_q + 1'b1;
    end
  end

  assign clear_o = clear_q;
  assign halt_o = halt_q;
  assign start_o = start_q;
  assign stopped_o = started_q & (start_q == '0) & ((running_i == '0) | quiet);
  assign deadlock_o = started_q & quiet & (running_i != '0) & (trapped_i == '0);
endmodule
`default_nettype wire
