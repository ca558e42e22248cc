`default_nettype none
// Check tap of a stream: in simulation, hands every stick that leaves a unit to the harness; nothing in synthesis.
//
// A stick leaves in each cycle with valid_i. addr_i is a byte address in LX (MNI-LU, LX-SU) or device memory (MNI-SU), 0 or 1 for
// the FIFO to PT or to SFU (LX-LU), else 0; strb_i has the bytes that are written, all for sticks to a FIFO.
// Latency: none. Handshake: none, it only looks.
module stick_tap #(
  parameter int unsigned UNIT = 0
) (
  input wire logic          clk_i,
  input wire logic          valid_i,
  input wire logic [5:0]    core_i,
  input wire logic [39:0]   addr_i,
  input wire logic [1023:0] data_i,
  input wire logic [127:0]  strb_i
);

`ifndef SYNTHESIS
  import "DPI-C" context function bit stp_tap_enabled();
  import "DPI-C" context function void stp_tap(input int core, input int unit_id, input longint unsigned addr,
                                               input bit [1023:0] data, input bit [127:0] strb);

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      if (stp_tap_enabled()) stp_tap(32'(core_i), UNIT, 64'(addr_i), data_i, strb_i);
    end
  end
`else
  wire unused_tap = &{1'b0, clk_i, valid_i, core_i, addr_i, data_i, strb_i, 1'(UNIT)};
`endif
endmodule
`default_nettype wire
