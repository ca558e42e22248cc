`default_nettype none
// The counting tokens of a core: TOKENS_PER_PAIR counters for every ordered pair (from unit, to unit).
//
// A post (port u: from u to unit id[5:2], counter id[1:0]) increments, and is ready while the counter is below TOKEN_MAX. A wait
// (port u: from unit id[5:2] to u) decrements, and is ready while the counter is above zero. A post and a wait of the same counter
// in one cycle are both done. An id whose unit does not exist is never ready (the sequencer traps before it gets here).
//
// Latency: a post in one cycle lets a wait pass in the next. Handshake: valid/ready.
module token_matrix (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  input  wire logic                         clear_i,

  input  wire logic [stp_pkg::UNITS-1:0]    post_valid_i,
  input  wire logic [stp_pkg::UNITS*6-1:0]  post_id_i,
  output logic      [stp_pkg::UNITS-1:0]    post_ready_o,

  input  wire logic [stp_pkg::UNITS-1:0]    wait_valid_i,
  input  wire logic [stp_pkg::UNITS*6-1:0]  wait_id_i,
  output logic      [stp_pkg::UNITS-1:0]    wait_ready_o,

  output logic                              leftover_o
);
  localparam int U = stp_pkg::UNITS;
  // Bits of the counters of a pair, and of all pairs of one producer. Counter t of the pair (p, c) is at ROW * p + PAIR * c + 4 * t.
  localparam int PAIR = 4 * stp_pkg::TOKENS_PER_PAIR;
  localparam int ROW = PAIR * U;

  logic [U*ROW-1:0] cnt_q;

  always_comb begin
    post_ready_o = '0;
    for (int p = 0; p < U; p++)
      if (post_valid_i[p] && post_id_i[6*p+2+:4] < 4'(U))
        post_ready_o[p] = cnt_q[11'(ROW*p)+{3'd0, post_id_i[6*p+:6], 2'd0}+:4] != 4'(stp_pkg::TOKEN_MAX);
  end

  always_comb begin
    wait_ready_o = '0;
    for (int c = 0; c < U; c++)
      if (wait_valid_i[c] && wait_id_i[6*c+2+:4] < 4'(U))
        wait_ready_o[c] =
            cnt_q[11'(ROW)*{7'd0, wait_id_i[6*c+2+:4]}+11'(PAIR*c)+{7'd0, wait_id_i[6*c+:2], 2'd0}+:4] != 4'd0;
  end

  wire [U-1:0] post_fire = post_valid_i & post_ready_o;
  wire [U-1:0] wait_fire = wait_valid_i & wait_ready_o;

  for (genvar p = 0; p < U; p++) begin : g_from
    for (genvar c = 0; c < U; c++) begin : g_to
      localparam int AT = ROW * p + PAIR * c;
      wire inc = post_fire[p] && post_id_i[6*p+2+:4] == 4'(c);
      wire dec = wait_fire[c] && wait_id_i[6*c+2+:4] == 4'(p);
      // The four counters of a pair never carry into each other.
      wire [15:0] up = inc ? 16'd1 << {post_id_i[6*p+:2], 2'b00} : 16'd0;
      wire [15:0] down = dec ? 16'd1 << {wait_id_i[6*c+:2], 2'b00} : 16'd0;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) cnt_q[AT+:16] <= '0;
        else if (clear_i) cnt_q[AT+:16] <= '0;
        else if (inc | dec) cnt_q[AT+:16] <= cnt_q[AT+:16] + up - down;
      end
    end
  end

  assign leftover_o = cnt_q != '0;
endmodule
`default_nettype wire
