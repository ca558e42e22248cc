`default_nettype none
// The sequencer's one-cycle integer operations and branch conditions.
//
// n_i is the place in the ALU group of opcodes (arch/isa.toml, [alu]); mul and the divisions are not done here.
// Latency: combinational.
module seq_alu (
  input  wire logic        en_i,  // low: y is 0
  input  wire logic [4:0]  n_i,
  input  wire logic [63:0] a_i,
  input  wire logic [63:0] b_i,
  output logic      [63:0] y_o,
  // comparisons of a and b
  output logic             eq_o,
  output logic             lt_o,
  output logic             ltu_o
);
  localparam logic [7:0] BASE = stp_pkg::OP_ADD;

  assign eq_o = a_i == b_i;
  assign ltu_o = a_i < b_i;
  assign lt_o = (a_i[63] != b_i[63]) ? a_i[63] : ltu_o;

  always_comb begin
    y_o = '0;
    if (en_i) case ({3'd0, n_i} + BASE)
      stp_pkg::OP_ADD: y_o = a_i + b_i;
      stp_pkg::OP_SUB: y_o = a_i - b_i;
      stp_pkg::OP_AND: y_o = a_i & b_i;
      stp_pkg::OP_OR: y_o = a_i | b_i;
      stp_pkg::OP_XOR: y_o = a_i ^ b_i;
      stp_pkg::OP_SHL: y_o = a_i << b_i[5:0];
      stp_pkg::OP_SHR: y_o = a_i >> b_i[5:0];
      stp_pkg::OP_SRA: y_o = 64'(signed'(a_i) >>> b_i[5:0]);
      stp_pkg::OP_SLT: y_o = 64'(lt_o);
      stp_pkg::OP_SLTU: y_o = 64'(ltu_o);
      stp_pkg::OP_SEQ: y_o = 64'(eq_o);
      stp_pkg::OP_SNE: y_o = {63'd0, ~eq_o};
      stp_pkg::OP_MIN: y_o = lt_o ? a_i : b_i;
      stp_pkg::OP_MAX: y_o = lt_o ? b_i : a_i;
      stp_pkg::OP_MINU: y_o = ltu_o ? a_i : b_i;
      default: y_o = ltu_o ? b_i : a_i;  // maxu
    endcase
  end
endmodule
`default_nettype wire
