`default_nettype none
// Multiplier and divider of the M extension.
//
// Handshake: start_i for one cycle with op_i (funct3), a_i and b_i while idle; done_o is high for the one cycle in which
// result_o is valid, after which the unit is idle. Latency from start_i to done_o: 2 cycles for products, 33 for quotients
// and remainders. Operands are held in registers, so nothing moves while idle.
module mp_muldiv (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        start_i,
  input  wire logic [2:0]  op_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  output logic             done_o,
  output logic      [31:0] result_o
);

  localparam logic [1:0] ST_IDLE = 2'd0;
  localparam logic [1:0] ST_MUL  = 2'd1;
  localparam logic [1:0] ST_DIV  = 2'd2;
  localparam logic [1:0] ST_DONE = 2'd3;

  logic [1:0] state_q, state_d;
  logic [4:0] count_q;
  logic [2:0] op_q;

  // Products: 33-bit signed by two halves of a 33-bit signed operand.
  logic signed [32:0] mul_a_q, mul_b_q;
  logic signed [49:0] prod_lo_q, prod_hi_q;
  logic signed [65:0] prod;
  logic [63:0]        prod_bits;
  logic               unused_prod;

  // Restoring division of magnitudes, one bit per cycle: the quotient enters quo_q as the dividend leaves it.
  // A divisor of zero gives the quotient all ones and the remainder the dividend without any special case,
  // as long as that quotient is not negated.
  logic [31:0] rem_q, quo_q, divisor_q;
  logic        neg_quo_q, neg_rem_q;
  logic [32:0] rem_shift, rem_sub;
  logic [31:0] div_raw;
  logic        a_neg, b_neg;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      ST_IDLE: if (start_i) state_d = op_i[2] ? ST_DIV : ST_MUL;
      ST_MUL:  state_d = ST_DONE;
      ST_DIV:  if (count_q == 5'd31) state_d = ST_DONE;
      default: state_d = ST_IDLE; // ST_DONE
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= ST_IDLE;
    else state_q <= state_d;
  end

  assign a_neg = ~op_i[0] & a_i[31];
  assign b_neg = ~op_i[0] & b_i[31];
  assign rem_shift = {rem_q, quo_q[31]};
  assign rem_sub = rem_shift - {1'b0, divisor_q};

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      op_q <= op_i;
      count_q <= '0;
      if (!op_i[2]) begin
        // MULHU takes both operands unsigned, MULHSU the second; MUL needs the low half only.
        mul_a_q <= $signed({(op_i[1:0] != 2'b11) & a_i[31], a_i});
        mul_b_q <= $signed({~op_i[1] & b_i[31], b_i});
      end else begin
        rem_q <= '0;
        quo_q <= a_neg ? -a_i : a_i;
        divisor_q <= b_neg ? -b_i : b_i;
        neg_quo_q <= (a_neg ^ b_neg) & (b_i != '0);
        neg_rem_q <= a_neg;
      end
    end else if (state_q == ST_MUL) begin
      prod_lo_q <= 50'(mul_a_q) * 50'($signed({1'b0, mul_b_q[15:0]}));
      prod_hi_q <= 50'(mul_a_q) * 50'($signed(mul_b_q[32:16]));
    end else if (state_q == ST_DIV) begin
      count_q <= count_q + 5'd1;
      quo_q <= {quo_q[30:0], ~rem_sub[32]};
      rem_q <= rem_sub[32] ? rem_shift[31:0] : rem_sub[31:0];
    end
  end

  assign prod = 66'(prod_lo_q) + (66'(prod_hi_q) <<< 16);
  assign prod_bits = prod[63:0];
  assign unused_prod = ^prod[65:64];

  assign div_raw = op_q[1] ? rem_q : quo_q;

  assign done_o = state_q == ST_DONE;
  always_comb begin
    if (op_q[2]) result_o = (op_q[1] ? neg_rem_q : neg_quo_q) ? -div_raw : div_raw;
    else if (op_q[1:0] == 2'b00) result_o = prod_bits[31:0];
    else result_o = prod_bits[63:32];
  end

endmodule
`default_nettype wire
