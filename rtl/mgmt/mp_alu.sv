`default_nettype none
// Integer arithmetic of one cycle, and the comparison of branches. Combinational.
module mp_alu (
  input  wire logic [3:0]  op_i,     // mp_pkg::ALU_*
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  output logic      [31:0] result_o,
  input  wire logic [2:0]  cond_i,   // funct3 of a branch
  input  wire logic [31:0] rs1_i,
  input  wire logic [31:0] rs2_i,
  output logic             taken_o
);

  logic eq, lt, ltu;

  always_comb begin
    unique case (op_i)
      mp_pkg::ALU_ADD:  result_o = a_i + b_i;
      mp_pkg::ALU_SUB:  result_o = a_i - b_i;
      mp_pkg::ALU_SLL:  result_o = a_i << b_i[4:0];
      mp_pkg::ALU_SLT:  result_o = {31'b0, $signed(a_i) < $signed(b_i)};
      mp_pkg::ALU_SLTU: result_o = {31'b0, a_i < b_i};
      mp_pkg::ALU_XOR:  result_o = a_i ^ b_i;
      mp_pkg::ALU_SRL:  result_o = a_i >> b_i[4:0];
      mp_pkg::ALU_SRA:  result_o = $unsigned($signed(a_i) >>> b_i[4:0]);
      mp_pkg::ALU_OR:   result_o = a_i | b_i;
      mp_pkg::ALU_AND:  result_o = a_i & b_i;
      default:          result_o = '0;
    endcase
  end

  assign eq = rs1_i == rs2_i;
  assign ltu = rs1_i < rs2_i;
  assign lt = (rs1_i[31] != rs2_i[31]) ? rs1_i[31] : ltu;

  // funct3[2:1] selects the comparison, funct3[0] inverts it.
  always_comb begin
    unique case (cond_i[2:1])
      2'b10:   taken_o = lt ^ cond_i[0];
      2'b11:   taken_o = ltu ^ cond_i[0];
      default: taken_o = eq ^ cond_i[0];
    endcase
  end

endmodule
`default_nettype wire
