`default_nettype none
// Counters of one unit, and its status stick (arch/job.toml says what each word is).
//
// Every cycle in which the unit runs is of one kind at most, so that what is left of CYCLES is idle: the engine has nothing, and the
// sequencer executes. A cycle is BUSY if a stick leaves the engine or PT makes a step, whatever else waits; else it is a stall, the
// first of: for a full FIFO or a refused write, for an empty FIFO, for memory, for a token (a refused post; or the sequencer's
// wait while the engine has nothing); else it is BUSY if the engine has work in hand.
//
// Latency: an event counts at the end of its cycle; stick_o is combinational, and zero unless sel_i. Counters have 48 bits.
module unit_counters (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          clear_i,

  // state of the unit
  input  wire logic          running_i,
  input  wire logic          halted_i,
  input  wire logic          blocked_i,
  input  wire logic [7:0]    cause_i,
  input  wire logic [39:0]   trap_addr_i,
  input  wire logic [10:0]   pc_i,

  // events of the sequencer and of the engine
  input  wire logic          ev_insn_i,
  input  wire logic          ev_wait_tok_i,
  input  wire logic          ev_post_refused_i,
  input  wire logic          ev_take_i,
  input  wire logic          ev_busy_i,
  input  wire logic          ev_stall_in_i,
  input  wire logic          ev_stall_out_i,
  input  wire logic          ev_stall_mem_i,
  input  wire logic          ev_item_i,
  input  wire logic [7:0]    ev_bytes_i,
  input  wire logic          ev_mac_i,

  input  wire logic          sel_i,
  output logic      [1023:0] stick_o
);
  localparam int unsigned W = 48;

  // What kind of cycle it is.
  wire moves = ev_item_i | ev_mac_i;
  wire stall_out = ~moves & ev_stall_out_i;
  wire stall_in = ~moves & ~ev_stall_out_i & ev_stall_in_i;
  wire stall_mem = ~moves & ~ev_stall_out_i & ~ev_stall_in_i & ev_stall_mem_i;
  wire stall = stall_out | stall_in | stall_mem;
  wire stall_tok = ~moves & ~stall & (ev_post_refused_i | (ev_wait_tok_i & ~ev_busy_i));
  wire busy = moves | (ev_busy_i & ~stall & ~stall_tok);

  logic [W-1:0] cycles_q, insns_q, payloads_q, busy_q, stall_in_q, stall_out_q, stall_tok_q, stall_mem_q, items_q, bytes_q;
  logic [W-10:0] macs_q;  // in units of 512

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycles_q <= '0;
      insns_q <= '0;
      payloads_q <= '0;
      busy_q <= '0;
      stall_in_q <= '0;
      stall_out_q <= '0;
      stall_tok_q <= '0;
      stall_mem_q <= '0;
      items_q <= '0;
      bytes_q <= '0;
      macs_q <= '0;
    end else if (clear_i) begin
      cycles_q <= '0;
      insns_q <= '0;
      payloads_q <= '0;
      busy_q <= '0;
      stall_in_q <= '0;
      stall_out_q <= '0;
      stall_tok_q <= '0;
      stall_mem_q <= '0;
      items_q <= '0;
      bytes_q <= '0;
      macs_q <= '0;
    end else if (running_i) begin
      cycles_q <= cycles_q + 1'b1;
      if (ev_insn_i) insns_q <= insns_q + 1'b1;
      if (stall_tok) stall_tok_q <= stall_tok_q + 1'b1;
      if (ev_take_i) payloads_q <= payloads_q + 1'b1;
      if (busy) busy_q <= busy_q + 1'b1;
      if (stall_in) stall_in_q <= stall_in_q + 1'b1;
      if (stall_out) stall_out_q <= stall_out_q + 1'b1;
      if (stall_mem) stall_mem_q <= stall_mem_q + 1'b1;
      if (ev_item_i) items_q <= items_q + 1'b1;
      if (ev_item_i) bytes_q <= bytes_q + W'(ev_bytes_i);
      if (ev_mac_i) macs_q <= macs_q + 1'b1;
    end
  end

  always_comb begin
    stick_o = '0;
    if (sel_i) begin
      stick_o[64*stp_pkg::STAT_STATE+:64] = {32'd0, 5'd0, pc_i, 5'd0, blocked_i, running_i, halted_i, cause_i};
      stick_o[64*stp_pkg::STAT_TRAP_ADDR+:64] = 64'(trap_addr_i);
      stick_o[64*stp_pkg::STAT_CYCLES+:64] = 64'(cycles_q);
      stick_o[64*stp_pkg::STAT_INSNS+:64] = 64'(insns_q);
      stick_o[64*stp_pkg::STAT_PAYLOADS+:64] = 64'(payloads_q);
      stick_o[64*stp_pkg::STAT_BUSY+:64] = 64'(busy_q);
      stick_o[64*stp_pkg::STAT_STALL_IN+:64] = 64'(stall_in_q);
      stick_o[64*stp_pkg::STAT_STALL_OUT+:64] = 64'(stall_out_q);
      stick_o[64*stp_pkg::STAT_STALL_TOKEN+:64] = 64'(stall_tok_q);
      stick_o[64*stp_pkg::STAT_STALL_MEM+:64] = 64'(stall_mem_q);
      stick_o[64*stp_pkg::STAT_ITEMS+:64] = 64'(items_q);
      stick_o[64*stp_pkg::STAT_BYTES+:64] = 64'(bytes_q);
      stick_o[64*stp_pkg::STAT_MACS+:64] = {16'd0, macs_q, 9'd0};
    end
  end
endmodule
`default_nettype wire
