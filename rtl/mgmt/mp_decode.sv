`default_nettype none
// Instruction decoder: RV32I, M, Zicsr, Zifencei and the machine-mode instructions. Everything else is illegal_o, and then
// none of the other is_*_o and rd_we_o is set. Encodings are refused down to the last fixed bit; the fields of FENCE and
// FENCE.I that the manual reserves are ignored, as it asks.
//
// Combinational. valid_i gates all outputs, so that nothing toggles while there is no instruction.
module mp_decode (
  input  wire logic        valid_i,
  input  wire logic [31:0] insn_i,
  output logic             illegal_o,
  output logic             rd_we_o,
  output logic      [31:0] imm_o,
  output logic      [3:0]  alu_op_o,
  output logic      [1:0]  alu_opa_o,     // OPA_*
  output logic             alu_opb_imm_o, // else rs2
  output logic             is_load_o,     // funct3 of the instruction gives size and sign
  output logic             is_store_o,
  output logic             is_branch_o,   // funct3 of the instruction gives the condition
  output logic             is_jal_o,
  output logic             is_jalr_o,
  output logic             is_muldiv_o,   // funct3 of the instruction gives the operation
  output logic             is_csr_o,      // funct3 of the instruction gives the operation
  output logic             is_ecall_o,
  output logic             is_ebreak_o,
  output logic             is_mret_o,
  output logic             is_wfi_o
);

  logic [6:0] opcode, funct7;
  logic [2:0] funct3;
  logic [31:0] imm_i, imm_s, imm_b, imm_u, imm_j;

  assign opcode = insn_i[6:0];
  assign funct3 = insn_i[14:12];
  assign funct7 = insn_i[31:25];
  assign imm_i = {{20{insn_i[31]}}, insn_i[31:20]};
  assign imm_s = {{20{insn_i[31]}}, insn_i[31:25], insn_i[11:7]};
  assign imm_b = {{20{insn_i[31]}}, insn_i[7], insn_i[30:25], insn_i[11:8], 1'b0};
  assign imm_u = {insn_i[31:12], 12'b0};
  assign imm_j = {{12{insn_i[31]}}, insn_i[19:12], insn_i[20], insn_i[30:21], 1'b0};

  always_comb begin
    illegal_o = 1'b0;
    rd_we_o = 1'b0;
    imm_o = imm_i;
    alu_op_o = mp_pkg::ALU_ADD;
    alu_opa_o = mp_pkg::OPA_RS1;
    alu_opb_imm_o = 1'b1;
    is_load_o = 1'b0;
    is_store_o = 1'b0;
    is_branch_o = 1'b0;
    is_jal_o = 1'b0;
    is_jalr_o = 1'b0;
    is_muldiv_o = 1'b0;
    is_csr_o = 1'b0;
    is_ecall_o = 1'b0;
    is_ebreak_o = 1'b0;
    is_mret_o = 1'b0;
    is_wfi_o = 1'b0;

    if (valid_i) begin
      unique case (opcode)
        7'b0110111: begin // LUI
          imm_o = imm_u;
          alu_opa_o = mp_pkg::OPA_ZERO;
          rd_we_o = 1'b1;
        end
        7'b0010111: begin // AUIPC
          imm_o = imm_u;
          alu_opa_o = mp_pkg::OPA_PC;
          rd_we_o = 1'b1;
        end
        7'b1101111: begin // JAL
          imm_o = imm_j;
          is_jal_o = 1'b1;
          rd_we_o = 1'b1;
        end
        7'b1100111: begin // JALR
          illegal_o = funct3 != 3'b000;
          is_jalr_o = ~illegal_o;
          rd_we_o = ~illegal_o;
        end
        7'b1100011: begin // branches
          imm_o = imm_b;
          illegal_o = funct3[2:1] == 2'b01;
          is_branch_o = ~illegal_o;
        end
        7'b0000011: begin // loads
          illegal_o = (funct3 == 3'b011) || (funct3[2:1] == 2'b11);
          is_load_o = ~illegal_o;
          rd_we_o = ~illegal_o;
        end
        7'b0100011: begin // stores
          imm_o = imm_s;
          illegal_o = funct3[2] || (funct3 == 3'b011);
          is_store_o = ~illegal_o;
        end
        7'b0010011: begin // arithmetic with immediate
          alu_op_o = {1'b0, funct3};
          if (funct3 == 3'b001) illegal_o = funct7 != 7'b0000000;
          if (funct3 == 3'b101) begin
            illegal_o = (funct7 != 7'b0000000) && (funct7 != 7'b0100000);
            alu_op_o = {funct7[5], funct3};
          end
          rd_we_o = ~illegal_o;
        end
        7'b0110011: begin // arithmetic between registers
          alu_opb_imm_o = 1'b0;
          if (funct7 == 7'b0000001) begin
            is_muldiv_o = 1'b1;
          end else begin
            alu_op_o = {funct7[5], funct3};
            illegal_o = !((funct7 == 7'b0000000) ||
                          ((funct7 == 7'b0100000) && ((funct3 == 3'b000) || (funct3 == 3'b101))));
          end
          rd_we_o = ~illegal_o;
        end
        7'b0001111: begin // FENCE and FENCE.I: accesses are in order and fetches see them, so nothing to do
          illegal_o = funct3[2:1] != 2'b00;
        end
        7'b1110011: begin // SYSTEM
          if (funct3[1:0] != 2'b00) begin
            is_csr_o = 1'b1;
            rd_we_o = 1'b1;
          end else begin
            unique case (insn_i)
              32'h0000_0073: is_ecall_o = 1'b1;
              32'h0010_0073: is_ebreak_o = 1'b1;
              32'h3020_0073: is_mret_o = 1'b1;
              32'h1050_0073: is_wfi_o = 1'b1;
              default: illegal_o = 1'b1;
            endcase
          end
        end
        default: illegal_o = 1'b1;
      endcase
    end
  end

endmodule
`default_nettype wire
