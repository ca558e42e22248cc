`default_nettype none
// The CORE block of the management processor: pulses to the cores, and their state.
//
// start_o, clear_o and halt_o are pulses in the cycle after the register write. started_o is high in the cycle of the first
// START with a unit after a CLEAR, stopped_o in the first cycle in which a core is seen stopped.
// Register bus: as in mgmt_console; core n is at offset 0x40 * n. Signals of core n are bit n, or slice n of ten bits.
module core_if #(
  parameter int unsigned CORES = 1
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                req_i,
  input  wire logic                we_i,
  input  wire logic [11:0]         addr_i,
  input  wire logic [9:0]          wdata_i,
  output logic      [31:0]         rdata_o,
  output logic                     hit_o,

  output logic      [CORES-1:0]    core_clear_o,
  output logic      [CORES-1:0]    core_halt_o,
  output logic      [CORES*10-1:0] core_start_o,
  input  wire logic [CORES*10-1:0] core_running_i,
  input  wire logic [CORES*10-1:0] core_trapped_i,
  input  wire logic [CORES*10-1:0] core_blocked_i,
  input  wire logic [CORES-1:0]    core_stopped_i,
  input  wire logic [CORES-1:0]    core_deadlock_i,
  input  wire logic [CORES-1:0]    core_leftover_fifo_i,
  input  wire logic [CORES-1:0]    core_leftover_token_i,

  output logic                     started_o,
  output logic                     stopped_o,
  output logic                     running_o   // some unit of some core runs
);
  logic [11:0] offset;
  logic [9:0]  running, trapped, blocked;
  logic [3:0]  state;
  logic [CORES-1:0] sel, stopped_q;
  logic clear, halt, start, job_q;

  assign offset = {6'b0, addr_i[5:0]};
  assign clear = req_i && we_i && offset == 12'(stp_pkg::MGMT_CORE_CLEAR);
  assign halt = req_i && we_i && offset == 12'(stp_pkg::MGMT_CORE_HALT);
  assign start = req_i && we_i && offset == 12'(stp_pkg::MGMT_CORE_START);

  // The state of the core that is addressed.
  always_comb begin
    running = '0;
    trapped = '0;
    blocked = '0;
    state = '0;
    for (int unsigned n = 0; n < CORES; n = n + 1) begin
      sel[n] = addr_i[11:6] == 6'(n);
      if (sel[n]) begin
        running = core_running_i[10*n+:10];
        trapped = core_trapped_i[10*n+:10];
        blocked = core_blocked_i[10*n+:10];
        state = {core_leftover_token_i[n], core_leftover_fifo_i[n], core_deadlock_i[n], core_stopped_i[n]};
      end
    end
  end

  always_comb begin
    hit_o = sel != '0;
    rdata_o = '0;
    unique case (offset)
      12'(stp_pkg::MGMT_CORE_CLEAR), 12'(stp_pkg::MGMT_CORE_START), 12'(stp_pkg::MGMT_CORE_HALT): rdata_o = '0;
      12'(stp_pkg::MGMT_CORE_RUNNING): rdata_o = {22'b0, running};
      12'(stp_pkg::MGMT_CORE_TRAPPED): rdata_o = {22'b0, trapped};
      12'(stp_pkg::MGMT_CORE_BLOCKED): rdata_o = {22'b0, blocked};
      12'(stp_pkg::MGMT_CORE_STATE):   rdata_o = {28'b0, state};
      default: hit_o = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      core_clear_o <= '0;
      core_halt_o <= '0;
      core_start_o <= '0;
      stopped_q <= '0;
      job_q <= 1'b0;
    end else begin
      for (int unsigned n = 0; n < CORES; n = n + 1) begin
        core_clear_o[n] <= clear & sel[n];
        core_halt_o[n] <= halt & sel[n];
        core_start_o[10*n+:10] <= (start & sel[n]) ? wdata_i : 10'b0;
      end
      stopped_q <= core_stopped_i;
      if (clear && sel != '0) job_q <= 1'b0;
      else if (started_o) job_q <= 1'b1;
    end
  end

  assign started_o = start & (sel != '0) & (wdata_i != '0) & ~job_q;
  assign stopped_o = (core_stopped_i & ~stopped_q) != '0;
  assign running_o = core_running_i != '0;
endmodule
`default_nettype wire
