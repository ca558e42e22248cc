`default_nettype none
// What can be seen of an instruction by itself: whether this kind of unit has it, whether the fields that it does not name are
// zero, whether the peer of a token exists, and how the sequencer hands it on. Engines check the values of their operands.
//
// Latency: combinational.
module seq_decode #(
  parameter int unsigned KIND = stp_pkg::KIND_MNI_LU
) (
  input  wire logic        en_i,  // low: the outputs mean nothing
  input  wire logic [63:0] insn_i,
  output logic             illegal_o,
  output logic             bad_token_o,  // wait or post whose peer is no unit
  output logic             payload_o,    // goes to the engine
  output logic             postinc_o     // and writes rd := ra + imm
);
  localparam bit MNI = KIND == stp_pkg::KIND_MNI_LU || KIND == stp_pkg::KIND_MNI_SU;
  localparam bit LX = KIND == stp_pkg::KIND_LX_LU || KIND == stp_pkg::KIND_LX_SU;
  localparam bit PT = KIND == stp_pkg::KIND_PT;
  localparam bit SFU = KIND == stp_pkg::KIND_SFU;

  // Fields that the instruction names, and the bits of aux and imm that may be set.
  logic known, rd, ra, rb, imm;
  logic [8:0] aux;
  // A value of aux that stands for nothing.
  logic bad_aux;

  wire [7:0] op = insn_i[stp_pkg::OP_HI:stp_pkg::OP_LO];
  wire [8:0] iaux = insn_i[stp_pkg::AUX_HI:stp_pkg::AUX_LO];
  // The position in the ALU's two groups of opcodes.
  wire [7:0] alu_r = op - stp_pkg::OP_ADD;
  wire [7:0] alu_i = op - stp_pkg::OP_ADDI;

  // Descriptor fields of the unit, a bit each.
  localparam logic [15:0] CFG_MNI = (16'd1 << stp_pkg::CFG_MNI_N0) | (16'd1 << stp_pkg::CFG_MNI_N1) |
      (16'd1 << stp_pkg::CFG_MNI_N2) | (16'd1 << stp_pkg::CFG_MNI_N3) | (16'd1 << stp_pkg::CFG_MNI_GS1) |
      (16'd1 << stp_pkg::CFG_MNI_GS2) | (16'd1 << stp_pkg::CFG_MNI_GS3) | (16'd1 << stp_pkg::CFG_MNI_LS1) |
      (16'd1 << stp_pkg::CFG_MNI_LS2) | (16'd1 << stp_pkg::CFG_MNI_LS3) | (16'd1 << stp_pkg::CFG_MNI_LIM0) |
      (16'd1 << stp_pkg::CFG_MNI_LIM1) | (16'd1 << stp_pkg::CFG_MNI_LIM2) | (16'd1 << stp_pkg::CFG_MNI_LIM3);
  localparam logic [15:0] CFG_LX = (16'd1 << stp_pkg::CFG_LX_N0) | (16'd1 << stp_pkg::CFG_LX_N1) |
      (16'd1 << stp_pkg::CFG_LX_N2) | (16'd1 << stp_pkg::CFG_LX_N3) | (16'd1 << stp_pkg::CFG_LX_S0) |
      (16'd1 << stp_pkg::CFG_LX_S1) | (16'd1 << stp_pkg::CFG_LX_S2) | (16'd1 << stp_pkg::CFG_LX_S3) |
      (16'd1 << stp_pkg::CFG_LX_LIM0) | (16'd1 << stp_pkg::CFG_LX_LIM1) | (16'd1 << stp_pkg::CFG_LX_PAD) |
      (16'd1 << stp_pkg::CFG_LX_COLS);
  localparam logic [15:0] CFG = MNI ? CFG_MNI : LX ? CFG_LX : 16'd0;

  always_comb begin
    known = 1'b1;
    rd = 1'b0;
    ra = 1'b0;
    rb = 1'b0;
    imm = 1'b0;
    aux = 9'd0;
    bad_aux = 1'b0;
    payload_o = op[7];
    postinc_o = 1'b0;
    if (en_i) case (op)
      stp_pkg::OP_NOP, stp_pkg::OP_HALT, stp_pkg::OP_UNLOOP: ;
      stp_pkg::OP_TRAPIF, stp_pkg::OP_LOOP: {ra, imm} = 2'b11;
      stp_pkg::OP_WAIT, stp_pkg::OP_POST: aux = 9'h03f;
      stp_pkg::OP_JMP: imm = 1'b1;
      stp_pkg::OP_JAL: {rd, imm} = 2'b11;
      stp_pkg::OP_JR: ra = 1'b1;
      stp_pkg::OP_SPR: begin
        rd = 1'b1;
        aux = 9'h1ff;
        bad_aux = iaux > stp_pkg::SPR_UNIT;
      end
      stp_pkg::OP_ARG, stp_pkg::OP_MOVHI: {rd, ra, imm} = 3'b111;
      stp_pkg::OP_LDX: begin
        known = MNI | LX;
        {rd, ra, imm} = 3'b111;
        aux = 9'h007;
      end
      stp_pkg::OP_BEQ, stp_pkg::OP_BNE, stp_pkg::OP_BLT, stp_pkg::OP_BGE, stp_pkg::OP_BLTU, stp_pkg::OP_BGEU:
        {ra, rb, imm} = 3'b111;
      stp_pkg::OP_CMOVNZ: {rd, ra, rb} = 3'b111;
      stp_pkg::OP_CFG: begin
        {ra, imm} = 2'b11;
        aux = 9'h00f;
        bad_aux = ~CFG[iaux[3:0]];
      end
      stp_pkg::OP_XFER: begin
        known = MNI;
        {rd, ra, rb, imm} = 4'b1111;
        aux = 9'h00f;
        postinc_o = 1'b1;
      end
      stp_pkg::OP_LD: begin
        known = KIND == stp_pkg::KIND_LX_LU;
        {rd, ra, imm} = 3'b111;
        aux = 9'h00f;
        bad_aux = iaux[2:1] == 2'd3 || iaux[3:1] == 3'b100;
        postinc_o = 1'b1;
      end
      stp_pkg::OP_ST: begin
        known = KIND == stp_pkg::KIND_LX_SU;
        {rd, ra, imm} = 3'b111;
        aux = 9'h006;
        bad_aux = iaux[2:1] == 2'd3;
        postinc_o = 1'b1;
      end
      stp_pkg::OP_WLOAD: begin
        known = PT;
        aux = 9'h03d;
      end
      stp_pkg::OP_MM: begin
        known = PT;
        {ra, rb} = 2'b11;
        aux = 9'h1ff;
        bad_aux = iaux[8];
      end
      stp_pkg::OP_ALOAD: begin
        known = PT;
        {ra, rb} = 2'b11;
        aux = 9'h182;
        bad_aux = iaux[8:7] == 2'd3;
      end
      stp_pkg::OP_DRAIN: begin
        known = PT;
        {ra, rb} = 2'b11;
        aux = 9'h002;
      end
      default: begin
        if (op >= stp_pkg::OP_VMOV) begin
          known = SFU && op <= stp_pkg::OP_VSQRT;
          {ra, rb, imm} = 3'b111;
          aux = 9'h1ff;
        end else if (alu_r <= stp_pkg::OP_REMU - stp_pkg::OP_ADD) begin
          {rd, ra, rb} = 3'b111;
        end else begin
          known = alu_i <= stp_pkg::OP_REMUI - stp_pkg::OP_ADDI;
          {rd, ra, imm} = 3'b111;
        end
      end
    endcase
  end

  assign illegal_o = ~known | bad_aux | (~rd & (insn_i[stp_pkg::RD_HI:stp_pkg::RD_LO] != '0)) |
      (~ra & (insn_i[stp_pkg::RA_HI:stp_pkg::RA_LO] != '0)) | (~rb & (insn_i[stp_pkg::RB_HI:stp_pkg::RB_LO] != '0)) |
      ((iaux & ~aux) != '0) | (~imm & (insn_i[stp_pkg::IMM_HI:stp_pkg::IMM_LO] != '0));
  assign bad_token_o = (op == stp_pkg::OP_WAIT || op == stp_pkg::OP_POST) && iaux[5:2] >= 4'(stp_pkg::UNITS);
endmodule
`default_nettype wire
