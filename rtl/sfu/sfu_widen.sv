`default_nettype none
// One operand on its way to f32: 64 lanes that hold 16-bit floats are widened, others pass. Combinational; zero while not on_i, so
// that simulation spends no time on it.
module sfu_widen (
  input  wire logic          on_i,
  input  wire logic          half_i,
  input  wire logic [2:0]    fmt_i,
  input  wire logic [2047:0] a_i,
  output logic [2047:0]      q_o
);
  logic [1023:0] stick;
  logic [2047:0] wide;
  always_comb begin
    stick = '0;
    if (on_i & half_i) for (int i = 0; i < 64; i++) stick[16*i+:16] = a_i[32*i+:16];
  end
  arith_widen_row #(.LANES(64)) u_row (
    .fmt_i,
    .a_i(stick),
    .q_o(wide)
  );
  always_comb begin
    q_o = '0;
    if (on_i) q_o = half_i ? wide : a_i;
  end
endmodule
`default_nettype wire
