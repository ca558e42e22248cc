`default_nettype none
// FIFO of sticks between two units.
//
// Latency: a stick that is pushed in one cycle can leave in the next; one stick per cycle in and out. in_room_o is the number of
// free places (a pop of this cycle not yet counted). clear_i empties it.
// Handshake: valid/ready on both sides. With CREDIT the producer ignores in_ready_o: it pushes only what in_room_o promised it, in
// that cycle or later, and every push is taken.
//
// In simulation the harness may make it stall at random: in_ready_o and in_room_o are then 0 in some cycles in which there is
// room, which changes times and never results. id_i numbers the FIFO for that; the seed is taken when clear_i is high.
module stick_fifo #(
  parameter int unsigned DEPTH = stp_pkg::FIFO_DEPTH,
  parameter int unsigned WIDTH = stp_pkg::STICK_BITS,
  parameter bit CREDIT = 1'b0,
  parameter int unsigned RW = $clog2(DEPTH + 1)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             clear_i,
  input  wire logic [8:0]       id_i,

  input  wire logic             in_valid_i,
  output logic                  in_ready_o,
  input  wire logic [WIDTH-1:0] in_data_i,
  output logic      [RW-1:0]    in_room_o,

  output logic                  out_valid_o,
  input  wire logic             out_ready_i,
  output logic      [WIDTH-1:0] out_data_o
);
  localparam int unsigned PW = $clog2(DEPTH);

  logic [WIDTH-1:0] mem [DEPTH];
  logic [PW-1:0] wptr_q, rptr_q;
  logic [RW-1:0] room_q;
  logic stall;

  wire push = in_valid_i & (CREDIT | in_ready_o);
  wire pop = out_valid_o & out_ready_i;

  assign in_ready_o = (room_q != '0) & ~stall;
  assign in_room_o = stall ? '0 : room_q;
  assign out_valid_o = room_q != RW'(DEPTH);
  assign out_data_o = mem[rptr_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wptr_q <= '0;
      rptr_q <= '0;
      room_q <= RW'(DEPTH);
    end else if (clear_i) begin
      wptr_q <= '0;
      rptr_q <= '0;
      room_q <= RW'(DEPTH);
    end else begin
      if (push) wptr_q <= (wptr_q == PW'(DEPTH - 1)) ? '0 : wptr_q + 1'b1;
      if (pop) rptr_q <= (rptr_q == PW'(DEPTH - 1)) ? '0 : rptr_q + 1'b1;
      if (push & ~pop) room_q <= room_q - 1'b1;
      if (pop & ~push) room_q <= room_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) if (push) mem[wptr_q] <= in_data_i;

`ifndef SYNTHESIS
  // Seed of the random stalls of a FIFO; 0: none.
  import "DPI-C" context function int unsigned stp_stall_seed(input int unsigned id);

  logic [31:0] lfsr_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) lfsr_q <= '0;
    else if (clear_i) lfsr_q <= stp_stall_seed(32'(id_i));
    else if (lfsr_q != '0) lfsr_q <= {1'b0, lfsr_q[31:1]} ^ (lfsr_q[0] ? 32'hd000_0001 : 32'd0);
  end
  assign stall = (lfsr_q != '0) & (lfsr_q[2:0] < 3'd3);
`else
  assign stall = 1'b0;
  wire unused_id = &{1'b0, id_i};
`endif
endmodule
`default_nettype wire
