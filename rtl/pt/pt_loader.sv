`default_nettype none
// The loader of PT: takes wload, mm and aload in program order and moves their sticks from the FIFO of LX-LU into the weight
// banks, the two groups of row sticks, and (start values) the accumulators.
//
// Instructions wait in a queue of three; one stick per cycle, with no cycle lost between instructions. wload waits until every
// group that uses its bank has read it. A group (one to eight rows of one mm) is offered to the walker when it is complete,
// on group_*, and is given back with group_done_i. aload waits until the groups of its half are committed and the drains
// before it are done.
// in_ready_o does not depend on in_valid_i.
module pt_loader #(
  parameter int unsigned LANES = 64,
  parameter int unsigned CW = 6
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                drop_i,

  // instructions
  input  wire logic                push_i,
  output logic                     ready_o,
  input  wire logic                push_wload_i,
  input  wire logic                push_aload_i,  // neither: mm
  input  wire logic                push_bank_i,
  input  wire logic                push_half_i,
  input  wire logic [3:0]          push_nblk_i,
  input  wire logic                push_zero_i,
  input  wire logic [1:0]          push_fmt_i,
  input  wire logic [5:0]          push_last_i,  // number of rows less one
  input  wire logic [5:0]          push_row_i,
  input  wire logic [CW-1:0]       push_drains_i,  // drains of the half that come before

  // sticks
  input  wire logic                in_valid_i,
  output logic                     in_ready_o,
  input  wire logic [1023:0]       in_data_i,

  // weights, row sticks
  output logic [7:0]               w_we_o,
  output logic [3:0]               w_addr_o,
  output logic                     x_we_o,
  output logic [3:0]               x_addr_o,

  // groups, to the walker: valid bits of both, and what it needs to know of the one that it works on
  output logic [1:0]               group_valid_o,
  input  wire logic                group_sel_i,
  output logic [3:0]               group_rows_o,
  output logic                     group_bank_o,
  output logic                     group_half_o,
  output logic [3:0]               group_nblk_o,
  output logic                     group_zero_o,
  output logic                     group_bf16_o,
  output logic [5:0]               group_row_o,
  output logic                     group_mm_last_o,
  output logic [CW-1:0]            group_drains_o,
  input  wire logic                group_done_i,  // the walker has made the last step of group_sel_i

  // progress of groups and drains
  input  wire logic                free_valid_i,  // a group has read its weights
  input  wire logic                free_bank_i,
  input  wire logic                commit_valid_i,  // a group is in the accumulators
  input  wire logic                commit_half_i,
  input  wire logic [2*CW-1:0]     drains_done_i,

  // start values
  output logic                     load_o,
  output logic                     load_half_o,
  output logic [5:0]               load_row_o,
  output logic [LANES*32-1:0]      load_data_o,

  output logic                     wload_done_o,
  output logic                     aload_done_o,
  output logic                     want_o,  // a stick could be taken
  output logic                     empty_o
);
  localparam int unsigned EW = 23 + CW;

  // Queue of instructions: entry 0 is the one in hand.
  logic [2:0] used_q, used_d;
  logic [EW-1:0] e0_q, e1_q, e2_q;
  wire [EW-1:0] push_entry = {
    push_drains_i, push_wload_i, push_aload_i, push_bank_i, push_half_i, push_nblk_i, push_zero_i, push_fmt_i,
    push_last_i, push_row_i
  };
  wire pop;
  wire [1:0] held = {1'b0, used_q[0]} + {1'b0, used_q[1]} + {1'b0, used_q[2]} - {1'b0, pop};  // before the push
  always_comb begin
    used_d = pop ? {1'b0, used_q[2:1]} : used_q;
    if (push_i) used_d = {used_d[1:0], 1'b1};
    if (drop_i) used_d = 3'b000;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) used_q <= 3'b000;
    else used_q <= used_d;
  end
  always_ff @(posedge clk_i) begin
    if (pop | push_i) begin
      e0_q <= push_i && held == 2'd0 ? push_entry : pop ? e1_q : e0_q;
      e1_q <= push_i && held == 2'd1 ? push_entry : pop ? e2_q : e1_q;
      e2_q <= push_entry;
    end
  end
  assign ready_o = ~used_q[2];
  assign empty_o = used_q == 3'b000 && group_valid_q == 2'b00;

  wire valid = used_q[0];
  wire [CW-1:0] e_drains = e0_q[23+:CW];
  wire e_wload = e0_q[22];
  wire e_aload = e0_q[21];
  wire e_bank = e0_q[20];
  wire e_half = e0_q[19];
  wire [3:0] e_nblk = e0_q[18:15];
  wire e_zero = e0_q[14];
  wire [1:0] e_fmt = e0_q[13:12];
  wire [5:0] e_last = e0_q[11:6];  // number of rows less one
  wire [5:0] e_row = e0_q[5:0];
  wire e_mm = ~e_wload & ~e_aload;
  wire wide = e_fmt == 2'd2;  // start values of f32

  // Groups under way: read their weights still, or are not committed.
  logic [1:0] group_valid_q;
  logic fill_q;  // group that is being filled
  logic [5:0] on_bank0_q, on_bank1_q, on_half0_q, on_half1_q;
  wire on_bank = e_bank ? on_bank1_q != 6'd0 : on_bank0_q != 6'd0;
  wire on_half = e_half ? on_half1_q != 6'd0 : on_half0_q != 6'd0;
  wire drained = e_drains == (e_half ? drains_done_i[CW+:CW] : drains_done_i[0+:CW]);

  logic can;
  always_comb begin
    can = ~group_valid_q[fill_q];
    if (e_wload) can = ~on_bank;
    if (e_aload) can = ~on_half & drained;
  end
  assign want_o = valid & can;
  assign in_ready_o = want_o;
  wire take = want_o & in_valid_i;

  // Position: stick of a wload; row of an mm or aload.
  logic [5:0] pos_q;
  logic high_q;  // f32 start values: the low stick of the row is in hand
  wire step = take & ~(e_aload & wide & ~high_q);  // a row or weight stick is complete
  wire [6:0] w_total = {e_nblk, 3'b000};
  wire at_end = e_wload ? {1'b0, pos_q} == w_total - 7'd1 : pos_q == e_last;
  wire last = step & at_end;
  assign pop = last;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pos_q <= 6'd0;
      high_q <= 1'b0;
    end else if (drop_i) begin
      pos_q <= 6'd0;
      high_q <= 1'b0;
    end else if (take) begin
      high_q <= e_aload & wide & ~high_q;
      if (step) pos_q <= last ? 6'd0 : pos_q + 6'd1;
    end
  end

  // Weights: stick 8*b + r is row r of block b.
  assign w_we_o = take & e_wload ? 8'b1 << pos_q[2:0] : 8'b0;
  assign w_addr_o = {e_bank, pos_q[5:3]};

  // Row sticks.
  assign x_we_o = take & e_mm;
  assign x_addr_o = {fill_q, pos_q[2:0]};
  wire group_full = x_we_o & (at_end | (pos_q[2:0] == 3'd7));
  localparam int unsigned GW = 19 + CW;
  logic [GW-1:0] g0_q, g1_q;
  wire [GW-1:0] g_new = {
    e_drains, {1'b0, pos_q[2:0]} + 4'd1, e_bank, e_half, e_nblk, e_zero, e_fmt[0], e_row + {pos_q[5:3], 3'b000}, at_end
  };
  wire [GW-1:0] g = group_sel_i ? g1_q : g0_q;
  assign {group_drains_o, group_rows_o, group_bank_o, group_half_o, group_nblk_o, group_zero_o, group_bf16_o, group_row_o,
          group_mm_last_o} = g;
  assign group_valid_o = group_valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      group_valid_q <= 2'b00;
      fill_q <= 1'b0;
    end else if (drop_i) begin
      group_valid_q <= 2'b00;
      fill_q <= 1'b0;
    end else if (group_full | group_done_i) begin
      group_valid_q <= (group_valid_q | (group_full ? {fill_q, ~fill_q} : 2'b00))
                       & ~(group_done_i ? {group_sel_i, ~group_sel_i} : 2'b00);
      if (group_full) fill_q <= ~fill_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (group_full & ~fill_q) g0_q <= g_new;
    if (group_full & fill_q) g1_q <= g_new;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      on_bank0_q <= 6'd0;
      on_bank1_q <= 6'd0;
      on_half0_q <= 6'd0;
      on_half1_q <= 6'd0;
    end else if (drop_i) begin
      on_bank0_q <= 6'd0;
      on_bank1_q <= 6'd0;
      on_half0_q <= 6'd0;
      on_half1_q <= 6'd0;
    end else if (group_full | free_valid_i | commit_valid_i) begin
      on_bank0_q <= on_bank0_q + {5'b0, group_full & ~e_bank} - {5'b0, free_valid_i & ~free_bank_i};
      on_bank1_q <= on_bank1_q + {5'b0, group_full & e_bank} - {5'b0, free_valid_i & free_bank_i};
      on_half0_q <= on_half0_q + {5'b0, group_full & ~e_half} - {5'b0, commit_valid_i & ~commit_half_i};
      on_half1_q <= on_half1_q + {5'b0, group_full & e_half} - {5'b0, commit_valid_i & commit_half_i};
    end
  end

  // Start values: a 16-bit stick is one row, two f32 sticks are another.
  logic [1023:0] low_q;
  logic [LANES*32-1:0] widened;
  always_ff @(posedge clk_i) if (take & e_aload & wide & ~high_q) low_q <= in_data_i;
  arith_widen_row #(.LANES(LANES)) u_widen (
    .fmt_i({1'b0, e_fmt}),
    .a_i(e_aload ? in_data_i[LANES*16-1:0] : '0),
    .q_o(widened)
  );
  assign load_o = step & e_aload;
  assign load_half_o = e_half;
  assign load_row_o = e_row + pos_q;
  always_comb begin
    load_data_o = widened;
    if (wide) begin
      load_data_o = '0;
      load_data_o[0+:LANES*16] = low_q[0+:LANES*16];
      load_data_o[LANES*16+:LANES*16] = in_data_i[0+:LANES*16];
    end
  end

  assign wload_done_o = last & e_wload;
  assign aload_done_o = last & e_aload;
endmodule
`default_nettype wire
