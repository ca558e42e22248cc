  // As fifo.svh, with the free places as a number. A producer with credit pushes no more than was promised: while there is room.
  logic up_q = 1'b0;
  logic [RW-1:0] n_q, ahead_q;
  logic watched_q;
  logic [WIDTH-1:0] word_q;
  wire watch = $anyseq;
  always_comb if (CREDIT) assume (!in_valid_i || n_q != RW'(DEPTH));
  always_ff @(posedge clk_i) begin
    up_q <= up_q | ~rst_ni;
    if (!rst_ni || clear_i) begin
      n_q <= '0;
      watched_q <= 1'b0;
    end else begin
      n_q <= n_q + RW'(push) - RW'(pop);
      if (push & watch & ~watched_q) begin
        watched_q <= 1'b1;
        word_q <= in_data_i;
        ahead_q <= n_q - RW'(pop);
      end else if (watched_q & pop) begin
        watched_q <= ahead_q != '0;
        ahead_q <= ahead_q - 1'b1;
      end
    end
  end
  // The place of the watched word, and that of the next one, round the end of the memory.
  wire [RW:0] at = (RW + 1)'(rptr_q) + (RW + 1)'(ahead_q);
  wire [RW:0] in_at = (RW + 1)'(rptr_q) + (RW + 1)'(n_q);
  always_comb if (up_q && rst_ni) begin
    assert (n_q <= RW'(DEPTH));
    assert (in_room_o == RW'(DEPTH) - n_q);
    assert (in_ready_o == (n_q != RW'(DEPTH)));
    assert (out_valid_o == (n_q != '0));
    assert ((RW + 1)'(rptr_q) < (RW + 1)'(DEPTH));
    assert ((RW + 1)'(wptr_q) == ((in_at >= (RW + 1)'(DEPTH)) ? in_at - (RW + 1)'(DEPTH) : in_at));
    if (watched_q) begin
      assert (ahead_q < n_q);
      assert (mem[PW'((at >= (RW + 1)'(DEPTH)) ? at - (RW + 1)'(DEPTH) : at)] == word_q);
      if (ahead_q == '0) assert (out_data_o == word_q);
    end
  end
