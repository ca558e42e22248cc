`default_nettype none
// What an SFU instruction is, and what is wrong with it. Combinational.
//
// ILLEGAL (addr = low 40 bits of the instruction): an opcode of another unit; a format, function or source format that the
// operation does not list; a field that it does not name and that is not zero. vcmp on i32 takes no ord and uno; vcvt takes
// formats of one width; vfold adds only f32 and f32p.
// BAD_OPERAND (addr = the number), the first of va, vb, vc, vd: a source over 36; a pair that is a FIFO or an odd register;
// a FIFO that an earlier source named; a destination over 32; a pair to OUT; a tee of a pair, or beside OUT; a lane of vsplat
// over 31 in a 32-bit format.
module sfu_decode (
  input  wire logic [63:0] insn_i,
  output logic             bad_o,
  output logic             illegal_o,  // bad: ILLEGAL, else BAD_OPERAND
  output logic [5:0]       value_o,    // of the bad operand

  output logic [3:0]       class_o,    // sfu_pkg::CLASS_
  output logic [2:0]       use_o,      // sources: va, vb, vc
  output logic             pair_src_o,
  output logic             pair_dst_o,
  output logic             half_src_o,  // lanes of sources are 16 bits wide
  output logic             half_dst_o
);
  wire [7:0] op = insn_i[stp_pkg::OP_HI:stp_pkg::OP_LO];
  wire [8:0] aux = insn_i[stp_pkg::AUX_HI:stp_pkg::AUX_LO];
  wire [5:0] vd = insn_i[5:0];
  wire [5:0] va = insn_i[11:6];
  wire [5:0] vb = insn_i[17:12];
  wire [5:0] vc = insn_i[23:18];
  wire [3:0] fmt = insn_i[27:24];
  wire tee = aux[0];
  wire [3:0] fn = aux[4:1];
  wire [3:0] sfmt = aux[8:5];

  logic known;
  logic [15:0] fmts;
  logic [1:0] sources;
  logic [3:0] class_v;
  always_comb begin
    known = 1'b1;
    fmts = 16'd0;
    sources = 2'd0;
    class_v = sfu_pkg::CLASS_INT;
    unique case (op)
      stp_pkg::OP_VMOV: begin
        fmts = stp_pkg::SFU_FMTS_VMOV;
        sources = stp_pkg::SFU_SRCS_VMOV;
      end
      stp_pkg::OP_VADD: begin
        fmts = stp_pkg::SFU_FMTS_VADD;
        sources = stp_pkg::SFU_SRCS_VADD;
        class_v = sfu_pkg::CLASS_FMA;
      end
      stp_pkg::OP_VSUB: begin
        fmts = stp_pkg::SFU_FMTS_VSUB;
        sources = stp_pkg::SFU_SRCS_VSUB;
        class_v = sfu_pkg::CLASS_FMA;
      end
      stp_pkg::OP_VMUL: begin
        fmts = stp_pkg::SFU_FMTS_VMUL;
        sources = stp_pkg::SFU_SRCS_VMUL;
        class_v = sfu_pkg::CLASS_FMA;
      end
      stp_pkg::OP_VFMA: begin
        fmts = stp_pkg::SFU_FMTS_VFMA;
        sources = stp_pkg::SFU_SRCS_VFMA;
        class_v = sfu_pkg::CLASS_FMA;
      end
      stp_pkg::OP_VDIV: begin
        fmts = stp_pkg::SFU_FMTS_VDIV;
        sources = stp_pkg::SFU_SRCS_VDIV;
        class_v = sfu_pkg::CLASS_DIV;
      end
      stp_pkg::OP_VMIN: begin
        fmts = stp_pkg::SFU_FMTS_VMIN;
        sources = stp_pkg::SFU_SRCS_VMIN;
        class_v = sfu_pkg::CLASS_CMP;
      end
      stp_pkg::OP_VMAX: begin
        fmts = stp_pkg::SFU_FMTS_VMAX;
        sources = stp_pkg::SFU_SRCS_VMAX;
        class_v = sfu_pkg::CLASS_CMP;
      end
      stp_pkg::OP_VMINNUM: begin
        fmts = stp_pkg::SFU_FMTS_VMINNUM;
        sources = stp_pkg::SFU_SRCS_VMINNUM;
        class_v = sfu_pkg::CLASS_CMP;
      end
      stp_pkg::OP_VMAXNUM: begin
        fmts = stp_pkg::SFU_FMTS_VMAXNUM;
        sources = stp_pkg::SFU_SRCS_VMAXNUM;
        class_v = sfu_pkg::CLASS_CMP;
      end
      stp_pkg::OP_VABS: begin
        fmts = stp_pkg::SFU_FMTS_VABS;
        sources = stp_pkg::SFU_SRCS_VABS;
      end
      stp_pkg::OP_VNEG: begin
        fmts = stp_pkg::SFU_FMTS_VNEG;
        sources = stp_pkg::SFU_SRCS_VNEG;
      end
      stp_pkg::OP_VCMP: begin
        fmts = stp_pkg::SFU_FMTS_VCMP;
        sources = stp_pkg::SFU_SRCS_VCMP;
        class_v = sfu_pkg::CLASS_CMP;
      end
      stp_pkg::OP_VSEL: begin
        fmts = stp_pkg::SFU_FMTS_VSEL;
        sources = stp_pkg::SFU_SRCS_VSEL;
      end
      stp_pkg::OP_VAND: begin
        fmts = stp_pkg::SFU_FMTS_VAND;
        sources = stp_pkg::SFU_SRCS_VAND;
      end
      stp_pkg::OP_VOR: begin
        fmts = stp_pkg::SFU_FMTS_VOR;
        sources = stp_pkg::SFU_SRCS_VOR;
      end
      stp_pkg::OP_VXOR: begin
        fmts = stp_pkg::SFU_FMTS_VXOR;
        sources = stp_pkg::SFU_SRCS_VXOR;
      end
      stp_pkg::OP_VNOT: begin
        fmts = stp_pkg::SFU_FMTS_VNOT;
        sources = stp_pkg::SFU_SRCS_VNOT;
      end
      stp_pkg::OP_VIADD: begin
        fmts = stp_pkg::SFU_FMTS_VIADD;
        sources = stp_pkg::SFU_SRCS_VIADD;
        class_v = sfu_pkg::CLASS_INT;
      end
      stp_pkg::OP_VISUB: begin
        fmts = stp_pkg::SFU_FMTS_VISUB;
        sources = stp_pkg::SFU_SRCS_VISUB;
        class_v = sfu_pkg::CLASS_INT;
      end
      stp_pkg::OP_VIMUL: begin
        fmts = stp_pkg::SFU_FMTS_VIMUL;
        sources = stp_pkg::SFU_SRCS_VIMUL;
        class_v = sfu_pkg::CLASS_INT;
      end
      stp_pkg::OP_VSHL: begin
        fmts = stp_pkg::SFU_FMTS_VSHL;
        sources = stp_pkg::SFU_SRCS_VSHL;
        class_v = sfu_pkg::CLASS_INT;
      end
      stp_pkg::OP_VSHR: begin
        fmts = stp_pkg::SFU_FMTS_VSHR;
        sources = stp_pkg::SFU_SRCS_VSHR;
        class_v = sfu_pkg::CLASS_INT;
      end
      stp_pkg::OP_VSRA: begin
        fmts = stp_pkg::SFU_FMTS_VSRA;
        sources = stp_pkg::SFU_SRCS_VSRA;
        class_v = sfu_pkg::CLASS_INT;
      end
      stp_pkg::OP_VIMIN: begin
        fmts = stp_pkg::SFU_FMTS_VIMIN;
        sources = stp_pkg::SFU_SRCS_VIMIN;
        class_v = sfu_pkg::CLASS_INT;
      end
      stp_pkg::OP_VIMAX: begin
        fmts = stp_pkg::SFU_FMTS_VIMAX;
        sources = stp_pkg::SFU_SRCS_VIMAX;
        class_v = sfu_pkg::CLASS_INT;
      end
      stp_pkg::OP_VCVT: begin
        fmts = stp_pkg::SFU_FMTS_VCVT;
        sources = stp_pkg::SFU_SRCS_VCVT;
        class_v = sfu_pkg::CLASS_CVT;
      end
      stp_pkg::OP_VPACK: begin
        fmts = stp_pkg::SFU_FMTS_VPACK;
        sources = stp_pkg::SFU_SRCS_VPACK;
        class_v = sfu_pkg::CLASS_CVT;
      end
      stp_pkg::OP_VUNPACK: begin
        fmts = stp_pkg::SFU_FMTS_VUNPACK;
        sources = stp_pkg::SFU_SRCS_VUNPACK;
        class_v = sfu_pkg::CLASS_WIDE;
      end
      stp_pkg::OP_VACC: begin
        fmts = stp_pkg::SFU_FMTS_VACC;
        sources = stp_pkg::SFU_SRCS_VACC;
        class_v = sfu_pkg::CLASS_FMA;
      end
      stp_pkg::OP_VFOLD: begin
        fmts = stp_pkg::SFU_FMTS_VFOLD;
        sources = stp_pkg::SFU_SRCS_VFOLD;
        class_v = sfu_pkg::CLASS_FOLD;
      end
      stp_pkg::OP_VSPLAT: begin
        fmts = stp_pkg::SFU_FMTS_VSPLAT;
        sources = stp_pkg::SFU_SRCS_VSPLAT;
        class_v = sfu_pkg::CLASS_WIDE;
      end
      stp_pkg::OP_VLANE: begin
        fmts = stp_pkg::SFU_FMTS_VLANE;
        sources = stp_pkg::SFU_SRCS_VLANE;
        class_v = sfu_pkg::CLASS_INT;
      end
      stp_pkg::OP_VFUNC: begin
        fmts = stp_pkg::SFU_FMTS_VFUNC;
        sources = stp_pkg::SFU_SRCS_VFUNC;
        class_v = fn == stp_pkg::VFUNC_EXP || fn == stp_pkg::VFUNC_EXP2 ? sfu_pkg::CLASS_EXP :
            fn == stp_pkg::VFUNC_RECIPROCAL ? sfu_pkg::CLASS_DIV : sfu_pkg::CLASS_FUNC;
      end
      stp_pkg::OP_VSQRT: begin
        fmts = stp_pkg::SFU_FMTS_VSQRT;
        sources = stp_pkg::SFU_SRCS_VSQRT;
        class_v = sfu_pkg::CLASS_DIV;
      end
      default: known = 1'b0;
    endcase
  end
  assign class_o = class_v;
  wire [2:0] use_v = {sources > 2'd2, sources > 2'd1, sources > 2'd0};
  assign use_o = use_v;

  // Formats.
  wire cvt = op == stp_pkg::OP_VCVT;
  wire pack = op == stp_pkg::OP_VPACK;
  wire unpack = op == stp_pkg::OP_VUNPACK || op == stp_pkg::OP_VACC;
  wire splat = op == stp_pkg::OP_VSPLAT;
  wire half = fmt == stp_pkg::FMT_F16 || fmt == stp_pkg::FMT_BF16 || fmt == stp_pkg::FMT_I16;
  wire sfmt_half = sfmt == stp_pkg::FMT_F16 || sfmt == stp_pkg::FMT_BF16;
  wire sfmt_word = sfmt == stp_pkg::FMT_F32 || sfmt == stp_pkg::FMT_I32;
  wire pair = fmt == stp_pkg::FMT_F32P;
  wire pair_src = pack | (pair & ~unpack);
  assign half_src_o = unpack | (half & ~pack);
  assign half_dst_o = half;
  assign pair_src_o = pair_src;
  assign pair_dst_o = pair;

  logic fn_ok, sfmt_ok, zero_ok;
  always_comb begin
    fn_ok = fn == 4'd0;
    if (op == stp_pkg::OP_VCMP)
      fn_ok = fmt != stp_pkg::FMT_I32 || (fn != stp_pkg::VCMP_ORD && fn != stp_pkg::VCMP_UNO);
    if (op == stp_pkg::OP_VFOLD)
      fn_ok = fn <= stp_pkg::VFOLD_MAXNUM && (fn != stp_pkg::VFOLD_ADD || !half);
    if (op == stp_pkg::OP_VFUNC) fn_ok = fn <= stp_pkg::VFUNC_COS;
    sfmt_ok = sfmt == 4'd0;
    if (cvt) sfmt_ok = half ? sfmt_half : sfmt_word;
    if (unpack) sfmt_ok = sfmt_half;
    zero_ok = insn_i[stp_pkg::RD_HI:stp_pkg::RD_LO] == 5'd0 && insn_i[31:28] == 4'd0 && (use_v[0] || va == 6'd0)
              && (use_v[1] || splat || vb == 6'd0) && (use_v[2] || vc == 6'd0);
  end
  wire illegal = ~(known & fmts[fmt] & fn_ok & sfmt_ok & zero_ok);
  assign illegal_o = illegal;

  // Operands. A FIFO is 32 or 33.
  wire fifo_a = va[5:1] == 5'd16;
  wire fifo_b = vb[5:1] == 5'd16;
  wire fifo_c = vc[5:1] == 5'd16;
  wire bad_a = use_v[0] & ((va > stp_pkg::SFU_OPERAND_ZERO) | (pair_src & (fifo_a | (~va[5] & va[0]))));
  wire bad_b = use_v[1] & ((vb > stp_pkg::SFU_OPERAND_ZERO) | (pair_src & (fifo_b | (~vb[5] & vb[0])))
                           | (fifo_b & (vb == va)));
  wire bad_c = use_v[2] & ((vc > stp_pkg::SFU_OPERAND_ZERO) | (pair_src & (fifo_c | (~vc[5] & vc[0])))
                           | (fifo_c & ((vc == va) | (vc == vb))));
  wire bad_d = (vd > stp_pkg::SFU_OPERAND_OUT) | (pair & (vd[5] | vd[0])) | (tee & (pair | vd[5]));
  wire bad_lane = splat & ~half & vb[5];
  assign value_o = bad_a ? va : bad_b ? vb : bad_c ? vc : bad_d ? vd : vb;
  assign bad_o = illegal | bad_a | bad_b | bad_c | bad_d | bad_lane;

  wire unused_ok = &{1'b0, insn_i[50:41]};
endmodule
`default_nettype wire
