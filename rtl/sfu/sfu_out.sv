`default_nettype none
// Results on their way to the FIFO of LX-SU. An instruction that sends one reserves its place when it issues, so that results
// never wait in the pipeline.
//
// Latency: a stick written in one cycle is offered in the next. Handshake: reserve_i only while room_o; wr_i once for each
// reservation, in order; valid_o stays until ready_i. drop_i empties it.
module sfu_out #(
  parameter int unsigned DEPTH = 16
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          drop_i,

  input  wire logic          reserve_i,
  output logic               room_o,
  input  wire logic          wr_i,
  input  wire logic [1023:0] wr_data_i,

  output logic               valid_o,
  input  wire logic          ready_i,
  output logic [1023:0]      data_o
);
  localparam int unsigned AW = $clog2(DEPTH);
  logic [1023:0] mem_q[0:DEPTH-1];
  logic [AW-1:0] wr_q, rd_q;
  logic [AW:0] held_q, used_q;  // sticks here; with reservations
  wire pop = valid_o & ready_i;

  assign valid_o = held_q != '0;
  assign room_o = used_q != (AW + 1)'(DEPTH);
  assign data_o = mem_q[rd_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wr_q <= '0;
      rd_q <= '0;
      held_q <= '0;
      used_q <= '0;
    end else if (drop_i) begin
      wr_q <= '0;
      rd_q <= '0;
      held_q <= '0;
      used_q <= '0;
    end else begin
      if (wr_i) wr_q <= wr_q + 1'b1;
      if (pop) rd_q <= rd_q + 1'b1;
      held_q <= held_q + {{AW{1'b0}}, wr_i} - {{AW{1'b0}}, pop};
      used_q <= used_q + {{AW{1'b0}}, reserve_i} - {{AW{1'b0}}, pop};
    end
  end
  always_ff @(posedge clk_i) if (wr_i) mem_q[wr_q] <= wr_data_i;
endmodule
`default_nettype wire
