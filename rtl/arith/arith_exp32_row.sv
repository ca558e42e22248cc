`default_nettype none
// A row of powers of two or of e, by the table and the steps of docs/numerics.md (Functions), rounded once to f32, f16 or bf16. A
// 16-bit result is in the low half of its lane, the upper half is zero. They need few of the steps of other functions and are
// what softmax waits for, so they have a row of their own beside arith_func32_row.
//
// Latency: 5 cycles (arith_pkg::EXP32_LATENCY); one row may enter every cycle, with any format. valid_o is valid_i five cycles later and
// there is no back-pressure. q_o keeps its value until the next row leaves.
module arith_exp32_row #(
    parameter int LANES = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire                 valid_i,
    input  wire  [3:0]          fn_i,     // stp_pkg::VFUNC_EXP or VFUNC_EXP2
    input  wire  [2:0]          ofmt_i,   // arith_pkg::FMT_F32 (or FMT_F32P), FMT_F16 or FMT_BF16
    input  wire  [LANES*32-1:0] a_i,
    output logic [LANES*32-1:0] q_o,
    output logic                valid_o
);
  `include "stp_func_tables.svh"
  `include "stp_func_const.svh"

  wire two = fn_i == stp_pkg::VFUNC_EXP2;
  wire [37:0] factor = two ? 38'h2000000000 : FUNC_LOG2E;  // in units of 2^-37
  wire [7:0] big = two ? 8'd135 : 8'd134;                  // exponent field from which the result is zero or infinite

  logic [4:1] valid_q;
  logic [11:0] ofmt_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      valid_o <= 1'b0;
    end else begin
      valid_q <= {valid_q[3:1], valid_i};
      valid_o <= valid_q[4];
    end
  end
  always_ff @(posedge clk_i) ofmt_q <= {ofmt_q[8:0], ofmt_i};

  logic [61:0] product_q[0:LANES-1];
  logic [8:0] flags1_q[0:LANES-1];   // sign, exponent field
  logic [1:0] kind1_q[0:LANES-1];
  logic [40:0] t_q[0:LANES-1];       // log2 of the result, 32 bits of fraction
  logic [1:0] kind2_q[0:LANES-1];
  logic [28:0] slope_q[0:LANES-1];
  logic [40:0] t3_q[0:LANES-1];
  logic [1:0] kind3_q[0:LANES-1];
  logic [34:0] y_q[0:LANES-1];
  logic [8:0] n4_q[0:LANES-1];
  logic [1:0] kind4_q[0:LANES-1];

  always_ff @(posedge clk_i) begin
    // Stage 5: round.
    if (valid_q[4]) begin
      for (int i = 0; i < LANES; i++) begin : stage5
        logic [34:0] y;
        y = y_q[i];
        q_o[32*i+:32] <= kind4_q[i] != 2'd0 ? arith_pkg::special(ofmt_q[11:9], kind4_q[i], 1'b0) :
            arith_pkg::round(ofmt_q[11:9], 1'b0, {y[34:4], y[3:0] != 4'd0}, {n4_q[i][8], n4_q[i]} + 10'd512);
      end
    end
    // Stage 4: the parabola's value.
    if (valid_q[3]) begin
      for (int i = 0; i < LANES; i++) begin : stage4
        logic [40:0] t;
        logic [28:0] rise;
        t = t3_q[i];
        rise = 29'(({25'b0, slope_q[i]} * {29'b0, t[24:0]}) >> 25);
        y_q[i] = pow2_c0[t[31:25]][34:0] + {6'b0, rise};
        n4_q[i] = t[40:32];
        kind4_q[i] = kind3_q[i];
      end
    end
    // Stage 3: its slope. For this table both coefficients are positive.
    if (valid_q[2]) begin
      for (int i = 0; i < LANES; i++) begin : stage3
        logic [40:0] t;
        logic [21:0] bend;
        t = t_q[i];
        bend = 22'(({16'b0, pow2_c2[t[31:25]]} * {22'b0, t[24:9]}) >> 16);
        slope_q[i] = pow2_c1[t[31:25]][28:0] + {7'b0, bend};
        t3_q[i] = t;
        kind3_q[i] = kind2_q[i];
      end
    end
    // Stage 2: fixed point.
    if (valid_q[1]) begin
      for (int i = 0; i < LANES; i++) begin : stage2
        logic [8:0] flags;
        logic [7:0] shift;
        logic [39:0] u;
        flags = flags1_q[i];
        shift = 8'd155 - flags[7:0];
        u = shift > 8'd63 ? 40'd0 : 40'(product_q[i] >> shift[5:0]);
        t_q[i] = flags[8] ? -{1'b0, u} : {1'b0, u};
        kind2_q[i] = kind1_q[i];
      end
    end
    // Stage 1: special values, significand times the logarithm of the base.
    if (valid_i) begin
      for (int i = 0; i < LANES; i++) begin : stage1
        logic [31:0] a;
        logic [23:0] m;
        a = a_i[32*i+:32];
        m = a[30:23] == 8'd0 ? 24'd0 : {1'b1, a[22:0]};
        product_q[i] = {38'b0, m} * {24'b0, factor};
        flags1_q[i] = a[31:23];
        kind1_q[i] = a[30:0] > 31'h7f800000 ? 2'd1 : a[30:23] < big ? 2'd0 : a[31] ? 2'd3 : 2'd2;
      end
    end
  end
endmodule
`default_nettype wire
