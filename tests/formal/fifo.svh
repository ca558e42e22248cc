  // Order, no loss, no duplication: of the words that are pushed the solver watches one, at any time; `ahead` words leave before it,
  // then it leaves, once. The counter says what comes and goes at all.
  logic up_q = 1'b0;  // there was a reset
  logic [PW:0] n_q, ahead_q;
  logic watched_q;
  logic [WIDTH-1:0] word_q;
  wire watch = $anyseq;
  always_ff @(posedge clk_i) begin
    up_q <= up_q | ~rst_ni;
    if (!rst_ni || clear_i) begin
      n_q <= '0;
      watched_q <= 1'b0;
    end else begin
      n_q <= n_q + (PW + 1)'(push) - (PW + 1)'(pop);
      if (push & watch & ~watched_q) begin
        watched_q <= 1'b1;
        word_q <= in_data_i;
        ahead_q <= n_q - (PW + 1)'(pop);
      end else if (watched_q & pop) begin
        watched_q <= ahead_q != '0;
        ahead_q <= ahead_q - 1'b1;
      end
    end
  end
  always_comb if (up_q && rst_ni) begin
    assert (n_q <= (PW + 1)'(DEPTH));
    assert (out_valid_o == (n_q != '0));
    assert (in_ready_o == (n_q != (PW + 1)'(DEPTH)));
    assert (n_q == (PW + 1)'(wptr_q - rptr_q));
    if (watched_q) begin
      assert (ahead_q < n_q);
      assert (mem[PW'(rptr_q + ahead_q)] == word_q);
      if (ahead_q == '0) assert (out_data_o == word_q);
    end
  end
