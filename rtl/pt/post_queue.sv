`default_nettype none
// Posts that wait until everything before them is done, while the engine goes on with what follows.
//
// An engine counts, per class of work, what it has started and what it has completed; both count modulo 2^CW and grow by at
// most one per cycle, and completion is in order within a class. A post remembers the started counts and waits until each
// completed count has been equal to it once: later work may overtake without harm.
//
// Latency: a post that need not wait is offered two cycles after it was pushed. Handshake: push_i only while ready_o; valid_o
// holds with id_o until ready_i. drop_i empties the queue.
module post_queue #(
  parameter int unsigned CLASSES = 2,
  parameter int unsigned CW = 6
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  drop_i,

  input  wire logic                  push_i,
  input  wire logic [5:0]            push_id_i,
  output logic                       ready_o,

  input  wire logic [CLASSES*CW-1:0] started_i,
  input  wire logic [CLASSES*CW-1:0] done_i,

  output logic                       valid_o,
  output logic [5:0]                 id_o,
  input  wire logic                  ready_i,
  output logic                       empty_o
);
  // Entry 0 is the older one.
  logic [1:0] used_q, used_d;
  logic [5:0] id0_q, id1_q;
  logic [CLASSES*CW-1:0] mark0_q, mark1_q;
  logic [CLASSES-1:0] met0_q, met1_q, met0, met1;

  always_comb begin
    for (int c = 0; c < CLASSES; c++) begin
      met0[c] = met0_q[c] | (mark0_q[c*CW+:CW] == done_i[c*CW+:CW]);
      met1[c] = met1_q[c] | (mark1_q[c*CW+:CW] == done_i[c*CW+:CW]);
    end
  end

  assign valid_o = used_q[0] & (&met0_q);
  assign id_o = id0_q;
  assign ready_o = ~used_q[1];
  assign empty_o = ~used_q[0];
  wire pop = valid_o & ready_i;
  wire to0 = push_i & (~used_q[0] | (pop & ~used_q[1]));
  wire to1 = push_i & ~to0;

  always_comb begin
    used_d = used_q;
    if (pop) used_d = {1'b0, used_q[1]};
    if (to0) used_d[0] = 1'b1;
    if (to1) used_d[1] = 1'b1;
    if (drop_i) used_d = 2'b00;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= 2'b00;
      met0_q <= '0;
      met1_q <= '0;
    end else if (push_i | used_q[0] | drop_i) begin
      used_q <= used_d;
      met0_q <= to0 ? '0 : pop ? met1 : met0;
      met1_q <= to1 ? '0 : met1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (to0) begin
      id0_q <= push_id_i;
      mark0_q <= started_i;
    end else if (pop) begin
      id0_q <= id1_q;
      mark0_q <= mark1_q;
    end
    if (to1) begin
      id1_q <= push_id_i;
      mark1_q <= started_i;
    end
  end
endmodule
`default_nettype wire
