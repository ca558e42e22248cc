`default_nettype none
// A row of operations on bits and integers:
//   OP_VMOV, OP_VABS (clears the sign bit), OP_VNEG (inverts it), OP_VSEL (a != 0 ? b : c), OP_VAND, OP_VOR, OP_VXOR, OP_VNOT
//   OP_VIADD, OP_VISUB, OP_VIMUL, OP_VSHL, OP_VSHR, OP_VSRA (count: b mod 32), OP_VIMIN, OP_VIMAX: i32
// Lanes are 32 bits; with half_i a value is the low 16 bits (the upper half of operands is ignored, that of results is zero).
//
// Latency: 2 cycles (arith_pkg::INT_LATENCY; a multiplication needs both); one row may enter every cycle. valid_o is valid_i two
// cycles later and there is no back-pressure. q_o keeps its value until the next row leaves.
module arith_int_row #(
    parameter int LANES = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire                 valid_i,
    input  wire  [7:0]          op_i,
    input  wire                 half_i,
    input  wire  [LANES*32-1:0] a_i,
    input  wire  [LANES*32-1:0] b_i,
    input  wire  [LANES*32-1:0] c_i,
    output logic [LANES*32-1:0] q_o,
    output logic                valid_o
);
  logic valid_q, half_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      valid_q <= valid_i;
      valid_o <= valid_q;
    end
  end
  always_ff @(posedge clk_i) if (valid_i) half_q <= half_i;

  wire [31:0] sign = half_i ? 32'h8000 : 32'h80000000;
  wire [31:0] mask = half_i ? 32'hffff : 32'hffffffff;

  logic [31:0] low_q[0:LANES-1];   // the result, or the product of the low halves
  logic [15:0] high_q[0:LANES-1];  // what a multiplication adds to its upper half

  always_ff @(posedge clk_i) begin
    // Stage 2.
    if (valid_q) begin
      for (int i = 0; i < LANES; i++) begin : stage2
        logic [31:0] r;
        r = low_q[i] + {high_q[i], 16'b0};
        q_o[32*i+:32] <= half_q ? {16'b0, r[15:0]} : r;
      end
    end
    // Stage 1.
    if (valid_i) begin
      for (int i = 0; i < LANES; i++) begin : stage1
        logic [31:0] a, b, c, r;
        a = a_i[32*i+:32];
        b = b_i[32*i+:32];
        c = c_i[32*i+:32];
        high_q[i] = 16'd0;
        r = a;
        case (op_i)
          stp_pkg::OP_VABS: r = a & ~sign;
          stp_pkg::OP_VNEG: r = a ^ sign;
          stp_pkg::OP_VSEL: r = (a & mask) != 32'd0 ? b : c;
          stp_pkg::OP_VAND: r = a & b;
          stp_pkg::OP_VOR: r = a | b;
          stp_pkg::OP_VXOR: r = a ^ b;
          stp_pkg::OP_VNOT: r = ~a;
          stp_pkg::OP_VIADD: r = a + b;
          stp_pkg::OP_VISUB: r = a - b;
          stp_pkg::OP_VIMUL: begin
            r = {16'b0, a[15:0]} * {16'b0, b[15:0]};
            high_q[i] = a[31:16] * b[15:0] + a[15:0] * b[31:16];
          end
          stp_pkg::OP_VSHL: r = a << b[4:0];
          stp_pkg::OP_VSHR: r = a >> b[4:0];
          stp_pkg::OP_VSRA: r = 32'(signed'(a) >>> b[4:0]);
          stp_pkg::OP_VIMIN: r = signed'(a) < signed'(b) ? a : b;
          stp_pkg::OP_VIMAX: r = signed'(a) > signed'(b) ? a : b;
          default: r = a;  // OP_VMOV
        endcase
        low_q[i] = r;
      end
    end
  end
endmodule
`default_nettype wire
