  // One grant at most, to a requester, whenever there is one. A request that stays is granted after at most N - 1 grants of others:
  // each used grant brings the start of the round nearer.
  localparam int unsigned W = $clog2(N + 1);
  logic up_q = 1'b0;
  wire [W-1:0] me = $anyconst;
  logic [W-1:0] others_q;  // grants of others while `me` requested
  always_comb assume (me < W'(N));
  always_ff @(posedge clk_i) begin
    up_q <= up_q | ~rst_ni;
    if (!rst_ni || !req_i[me] || (take_i && gnt_o[me])) others_q <= '0;
    else if (take_i) others_q <= others_q + 1'b1;
  end
  // Where the round starts: the lowest one of the mask, or 0; and how far from there `me` is.
  logic [W-1:0] start;
  always_comb begin
    start = '0;
    for (int i = N - 1; i >= 0; i--) if (mask_q[i]) start = W'(i);
  end
  wire [W-1:0] far = (me >= start) ? me - start : me + W'(N) - start;
  always_comb begin
    assert ((gnt_o & (gnt_o - 1'b1)) == '0);
    assert ((gnt_o & ~req_i) == '0);
    assert ((gnt_o == '0) == (req_i == '0));
    if (up_q && rst_ni) begin
      assert (((~mask_q + 1'b1) & ~mask_q) == '0);  // ones from a place upwards
      assert ((W + 1)'(others_q) + (W + 1)'(far) < (W + 1)'(N));
    end
  end
