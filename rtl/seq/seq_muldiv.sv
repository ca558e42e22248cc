`default_nettype none
// The sequencer's multiplier and divider.
//
// Latency: mul takes one cycle per 16 bits of b up to its highest one, 1 to 4; a division one cycle per bit of the dividend,
// rounded up to 16, and one more; a division by zero one cycle.
// Handshake: start_i while idle; done_o for one cycle, with result_o. clear_i drops what is in hand.
module seq_muldiv (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        clear_i,
  input  wire logic        start_i,
  input  wire logic [7:0]  op_i,  // an opcode of the register form
  input  wire logic [63:0] a_i,
  input  wire logic [63:0] b_i,
  output logic             done_o,
  output logic      [63:0] result_o
);
  logic busy_q, mul_q, rem_q, negate_q;
  logic [6:0] left_q;
  logic [63:0] x_q, y_q;  // mul: a shifted up, b shifted down; division: dividend and quotient, divisor
  logic [63:0] acc_q;     // mul: sum; division: remainder

  wire is_signed = op_i == stp_pkg::OP_DIVS || op_i == stp_pkg::OP_REMS;
  wire is_rem = op_i == stp_pkg::OP_REMS || op_i == stp_pkg::OP_REMU;
  wire [63:0] abs_a = (is_signed & a_i[63]) ? -a_i : a_i;
  wire [63:0] abs_b = (is_signed & b_i[63]) ? -b_i : b_i;

  // One step of each.
  logic [63:0] sum;
  logic [64:0] shifted, difference;
  always_comb begin
    sum = '0;
    shifted = '0;
    difference = '0;
    if (busy_q) begin
      if (mul_q) begin
        sum = acc_q + x_q * {48'd0, y_q[15:0]};
      end else begin
        shifted = {acc_q, x_q[63]};
        difference = shifted - {1'b0, y_q};
      end
    end
  end

  wire last = mul_q ? y_q[63:16] == '0 : left_q == '0;
  wire [63:0] plain = mul_q ? sum : rem_q ? acc_q : x_q;
  assign done_o = busy_q & last;
  assign result_o = negate_q ? -plain : plain;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (clear_i) busy_q <= 1'b0;
    else if (start_i) busy_q <= 1'b1;
    else if (done_o) busy_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      mul_q <= op_i == stp_pkg::OP_MUL;
      rem_q <= is_rem;
      y_q <= abs_b;
      acc_q <= '0;
      if (op_i == stp_pkg::OP_MUL) begin
        x_q <= a_i;
        y_q <= b_i;
        negate_q <= 1'b0;
      end else if (b_i == '0) begin
        x_q <= '1;
        acc_q <= a_i;
        left_q <= 7'd0;
        negate_q <= 1'b0;
      end else begin
        negate_q <= is_signed & (is_rem ? a_i[63] : a_i[63] ^ b_i[63]);
        if (abs_a[63:16] == '0) begin
          x_q <= abs_a << 48;
          left_q <= 7'd16;
        end else if (abs_a[63:32] == '0) begin
          x_q <= abs_a << 32;
          left_q <= 7'd32;
        end else begin
          x_q <= abs_a;
          left_q <= 7'd64;
        end
      end
    end else if (busy_q & ~last) begin
      if (mul_q) begin
        acc_q <= sum;
        x_q <= x_q << 16;
        y_q <= y_q >> 16;
      end else begin
        left_q <= left_q - 1'b1;
        acc_q <= difference[64] ? shifted[63:0] : difference[63:0];
        x_q <= {x_q[62:0], ~difference[64]};
      end
    end
  end
endmodule
`default_nettype wire
