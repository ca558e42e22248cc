  // Of any one counter, which the solver chooses: it is the number of posts less that of waits that were taken, from 0 to TOKEN_MAX; a
  // post finds it full and a wait finds it empty, and neither is lost when both come at once.
  logic up_q = 1'b0;
  wire [3:0] from = $anyconst;
  wire [3:0] to = $anyconst;
  wire [1:0] index = $anyconst;
  always_comb assume (from < 4'(U) && to < 4'(U));
  logic [4:0] n_q;
  wire posts = post_valid_i[from] && post_id_i[6*from+:6] == {to, index};
  wire waits = wait_valid_i[to] && wait_id_i[6*to+:6] == {from, index};
  always_ff @(posedge clk_i) begin
    up_q <= up_q | ~rst_ni;
    if (!rst_ni || clear_i) n_q <= '0;
    else n_q <= n_q + 5'(posts & post_ready_o[from]) - 5'(waits & wait_ready_o[to]);
  end
  wire [3:0] counter = cnt_q[ROW*from+PAIR*to+4*index+:4];
  always_comb begin
    // Of any producer or consumer: what asks nothing, or for a unit that does not exist, gets nothing.
    if (!post_valid_i[from] || post_id_i[6*from+2+:4] >= 4'(U)) assert (!post_ready_o[from]);
    if (!wait_valid_i[to] || wait_id_i[6*to+2+:4] >= 4'(U)) assert (!wait_ready_o[to]);
    if (up_q && rst_ni) begin
      assert (n_q <= 5'(stp_pkg::TOKEN_MAX));
      assert (5'(counter) == n_q);
      if (posts) assert (post_ready_o[from] == (n_q != 5'(stp_pkg::TOKEN_MAX)));
      if (waits) assert (wait_ready_o[to] == (n_q != '0));
      if (n_q != '0) assert (leftover_o);
    end
  end
