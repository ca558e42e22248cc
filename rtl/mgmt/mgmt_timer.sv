`default_nettype none
// Cycle counter and timer of the management processor. cycle_o counts cycles since reset; irq_o is high while it is at or past
// MTIMECMP.
//
// Latency: irq_o follows the registers at once. Register bus: as in mgmt_console.
module mgmt_timer (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        req_i,
  input  wire logic        we_i,
  input  wire logic [11:0] addr_i,
  input  wire logic [31:0] wdata_i,
  output logic      [31:0] rdata_o,
  output logic             hit_o,
  output logic      [63:0] cycle_o,
  output logic             irq_o
);
  logic [63:0] mtime_q, mtimecmp_q;
  logic [31:0] high_q;  // MTIME_HI as latched by a read of MTIME_LO

  assign cycle_o = mtime_q;
  assign irq_o = mtime_q >= mtimecmp_q;

  always_comb begin
    hit_o = 1'b1;
    unique case (addr_i)
      stp_pkg::MGMT_TIMER_MTIME_LO:    rdata_o = mtime_q[31:0];
      stp_pkg::MGMT_TIMER_MTIME_HI:    rdata_o = high_q;
      stp_pkg::MGMT_TIMER_MTIMECMP_LO: rdata_o = mtimecmp_q[31:0];
      stp_pkg::MGMT_TIMER_MTIMECMP_HI: rdata_o = mtimecmp_q[63:32];
      default: begin
        rdata_o = '0;
        hit_o = 1'b0;
      end
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mtime_q <= '0;
      mtimecmp_q <= '1;
      high_q <= '0;
    end else begin
      mtime_q <= mtime_q + 64'd1;
      if (req_i && we_i && addr_i == stp_pkg::MGMT_TIMER_MTIMECMP_LO) mtimecmp_q[31:0] <= wdata_i;
      if (req_i && we_i && addr_i == stp_pkg::MGMT_TIMER_MTIMECMP_HI) mtimecmp_q[63:32] <= wdata_i;
      if (req_i && !we_i && addr_i == stp_pkg::MGMT_TIMER_MTIME_LO) high_q <= mtime_q[63:32];
    end
  end
endmodule
`default_nettype wire
