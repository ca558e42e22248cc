#include "rv.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#ifdef STP_RV_COVERAGE
#include "reached.h"
#endif

enum {
  CSR_MSTATUS = 0x300,
  CSR_MISA = 0x301,
  CSR_MIE = 0x304,
  CSR_MTVEC = 0x305,
  CSR_MSTATUSH = 0x310,
  CSR_MCOUNTINHIBIT = 0x320,
  CSR_MSCRATCH = 0x340,
  CSR_MEPC = 0x341,
  CSR_MCAUSE = 0x342,
  CSR_MTVAL = 0x343,
  CSR_MIP = 0x344,
  CSR_MCYCLE = 0xb00,
  CSR_MINSTRET = 0xb02,
  CSR_MCYCLEH = 0xb80,
  CSR_MINSTRETH = 0xb82,
  CSR_CYCLE = 0xc00,
  CSR_INSTRET = 0xc02,
  CSR_CYCLEH = 0xc80,
  CSR_INSTRETH = 0xc82,
  CSR_MVENDORID = 0xf11,
  CSR_MARCHID = 0xf12,
  CSR_MIMPID = 0xf13,
  CSR_MHARTID = 0xf14,
  CSR_MCONFIGPTR = 0xf15,
};

#define IRQ_MASK (STP_RV_IRQ_SOFTWARE | STP_RV_IRQ_TIMER | STP_RV_IRQ_EXTERNAL)
#define MISA_VALUE 0x40001100u
#define INHIBIT_CY 1u
#define INHIBIT_IR 4u

void stp_rv_init(stp_rv_t *rv, uint8_t *tcm, uint32_t tcm_bytes, const stp_rv_bus_t *bus) {
#ifdef STP_RV_COVERAGE
  stp_rv_reached_write();
#endif
  *rv = (stp_rv_t){0};
  rv->tcm = tcm;
  rv->tcm_bytes = tcm_bytes;
  if (bus) rv->bus = *bus;
}

/* ---- small helpers ---- */

static uint32_t bits(uint32_t v, unsigned hi, unsigned lo) {
  return (v >> lo) & (uint32_t)((UINT64_C(1) << (hi - lo + 1)) - 1);
}

/* Sign-extends the low `width` bits of v. */
static uint32_t sext(uint32_t v, unsigned width) {
  uint32_t sign = UINT32_C(1) << (width - 1);
  v &= (sign << 1) - 1;
  return (v ^ sign) - sign;
}

/* Conversion to signed without relying on the implementation. */
static int64_t s64(uint32_t v) {
  return (int64_t)(v ^ 0x80000000u) - INT64_C(0x80000000);
}

static bool signed_less(uint32_t a, uint32_t b) {
  return (a ^ 0x80000000u) < (b ^ 0x80000000u);
}

static uint32_t shift_right_arith(uint32_t v, unsigned n) {
  uint32_t fill = v >> 31 ? ~(0xffffffffu >> n) : 0;
  return v >> n | fill;
}

static uint32_t imm_i(uint32_t i) {
  return sext(i >> 20, 12);
}
static uint32_t imm_s(uint32_t i) {
  return sext(bits(i, 31, 25) << 5 | bits(i, 11, 7), 12);
}
static uint32_t imm_b(uint32_t i) {
  return sext(
      bits(i, 31, 31) << 12 | bits(i, 7, 7) << 11 | bits(i, 30, 25) << 5 | bits(i, 11, 8) << 1, 13);
}
static uint32_t imm_j(uint32_t i) {
  return sext(bits(i, 31, 31) << 20 | bits(i, 19, 12) << 12 | bits(i, 20, 20) << 11 |
                  bits(i, 30, 21) << 1,
              21);
}

static uint32_t tcm_load(const stp_rv_t *rv, uint32_t addr, unsigned size) {
  uint32_t v = 0;
  for (unsigned i = 0; i < size; i++) v |= (uint32_t)rv->tcm[addr + i] << (8 * i);
  return v;
}

static void tcm_store(stp_rv_t *rv, uint32_t addr, unsigned size, uint32_t v) {
  for (unsigned i = 0; i < size; i++) rv->tcm[addr + i] = (uint8_t)(v >> (8 * i));
}

/* ---- traps ---- */

/* The code of the interrupt that is taken when `pending` (not zero) are pending and enabled. */
static uint8_t irq_select(uint32_t pending) {
  if (pending & STP_RV_IRQ_EXTERNAL) return 11;
  if (pending & STP_RV_IRQ_SOFTWARE) return 3;
  return 7;
}

static void take_trap(stp_rv_t *rv, stp_rv_retire_t *r, bool irq, uint8_t cause, uint32_t tval) {
  uint32_t base = rv->mtvec & ~3u;
  rv->mpie = rv->mie;
  rv->mie = false;
  rv->mepc = rv->pc & ~3u;
  rv->mcause = (irq ? 0x80000000u : 0) | cause;
  rv->mtval = tval;
  rv->pc = base + ((rv->mtvec & 1) && irq ? 4u * cause : 0);

  r->trap = true;
  r->irq = irq;
  r->cause = cause;
  r->mem_addr = tval;
  r->rd_we = false;
  r->mem_re = false;
  r->mem_we = false;
  if (irq) r->insn = 0;
}

/* ---- control and status registers ---- */

static bool csr_is_hpm(uint32_t addr) {
  uint32_t group = addr & ~0x1fu;
  return (group == 0xb00 || group == 0xb80 || group == 0x320) && (addr & 0x1f) > 2;
}

/* False if there is no such register. */
static bool csr_read(const stp_rv_t *rv, uint32_t addr, const stp_rv_lead_t *lead, uint32_t *v) {
  switch (addr) {
  case CSR_MSTATUS:
    *v = 0x1800u | (uint32_t)rv->mpie << 7 | (uint32_t)rv->mie << 3;
    return true;
  case CSR_MISA:
    *v = MISA_VALUE;
    return true;
  case CSR_MIE:
    *v = rv->mie_reg;
    return true;
  case CSR_MTVEC:
    *v = rv->mtvec;
    return true;
  case CSR_MCOUNTINHIBIT:
    *v = rv->mcountinhibit;
    return true;
  case CSR_MSCRATCH:
    *v = rv->mscratch;
    return true;
  case CSR_MEPC:
    *v = rv->mepc;
    return true;
  case CSR_MCAUSE:
    *v = rv->mcause;
    return true;
  case CSR_MTVAL:
    *v = rv->mtval;
    return true;
  case CSR_MIP:
    *v = lead ? lead->csr_value : rv->irq & IRQ_MASK;
    return true;
  case CSR_MCYCLE:
  case CSR_CYCLE:
    *v = lead ? lead->csr_value : (uint32_t)rv->mcycle;
    return true;
  case CSR_MCYCLEH:
  case CSR_CYCLEH:
    *v = lead ? lead->csr_value : (uint32_t)(rv->mcycle >> 32);
    return true;
  case CSR_MINSTRET:
  case CSR_INSTRET:
    *v = (uint32_t)rv->minstret;
    return true;
  case CSR_MINSTRETH:
  case CSR_INSTRETH:
    *v = (uint32_t)(rv->minstret >> 32);
    return true;
  case CSR_MHARTID:
    *v = rv->mhartid;
    return true;
  case CSR_MSTATUSH:
  case CSR_MVENDORID:
  case CSR_MARCHID:
  case CSR_MIMPID:
  case CSR_MCONFIGPTR:
    *v = 0;
    return true;
  default:
    *v = 0;
    return csr_is_hpm(addr);
  }
}

/* Counters that this write stops from counting in this step. */
typedef struct counted {
  bool cycle, instret;
} counted_t;

static void csr_write(stp_rv_t *rv, uint32_t addr, uint32_t v, counted_t *counted) {
  switch (addr) {
  case CSR_MSTATUS:
    rv->mie = v >> 3 & 1;
    rv->mpie = v >> 7 & 1;
    break;
  case CSR_MIE:
    rv->mie_reg = v & IRQ_MASK;
    break;
  case CSR_MTVEC:
    rv->mtvec = v & ~2u;
    break;
  case CSR_MCOUNTINHIBIT:
    rv->mcountinhibit = v & (INHIBIT_CY | INHIBIT_IR);
    break;
  case CSR_MSCRATCH:
    rv->mscratch = v;
    break;
  case CSR_MEPC:
    rv->mepc = v & ~3u;
    break;
  case CSR_MCAUSE:
    rv->mcause = v & 0x8000001fu;
    break;
  case CSR_MTVAL:
    rv->mtval = v;
    break;
  case CSR_MCYCLE:
    rv->mcycle = (rv->mcycle & ~UINT64_C(0xffffffff)) | v;
    counted->cycle = false;
    break;
  case CSR_MCYCLEH:
    rv->mcycle = (rv->mcycle & 0xffffffff) | (uint64_t)v << 32;
    counted->cycle = false;
    break;
  case CSR_MINSTRET:
    rv->minstret = (rv->minstret & ~UINT64_C(0xffffffff)) | v;
    counted->instret = false;
    break;
  case CSR_MINSTRETH:
    rv->minstret = (rv->minstret & 0xffffffff) | (uint64_t)v << 32;
    counted->instret = false;
    break;
  default:
    break; /* read-only fields */
  }
}

/* ---- arithmetic ---- */

static uint32_t alu(unsigned funct3, bool alt, uint32_t a, uint32_t b) {
  switch (funct3) {
  case 0:
    return alt ? a - b : a + b;
  case 1:
    return a << (b & 31);
  case 2:
    return signed_less(a, b);
  case 3:
    return a < b;
  case 4:
    return a ^ b;
  case 5:
    return alt ? shift_right_arith(a, b & 31) : a >> (b & 31);
  case 6:
    return a | b;
  default:
    return a & b;
  }
}

static uint32_t muldiv(unsigned funct3, uint32_t a, uint32_t b) {
  bool overflow = a == 0x80000000u && b == 0xffffffffu;
  switch (funct3) {
  case 0:
    return a * b;
  case 1:
    return (uint32_t)((uint64_t)(s64(a) * s64(b)) >> 32);
  case 2:
    return (uint32_t)((uint64_t)(s64(a) * (int64_t)b) >> 32);
  case 3:
    return (uint32_t)((uint64_t)a * b >> 32);
  case 4:
    return b == 0 ? 0xffffffffu : overflow ? a : (uint32_t)(s64(a) / s64(b));
  case 5:
    return b == 0 ? 0xffffffffu : a / b;
  case 6:
    return b == 0 ? a : overflow ? 0 : (uint32_t)(s64(a) % s64(b));
  default:
    return b == 0 ? a : a % b;
  }
}

static bool branch_taken(unsigned funct3, uint32_t a, uint32_t b) {
  bool c = funct3 >> 1 == 0 ? a == b : funct3 >> 1 == 2 ? signed_less(a, b) : a < b;
  return c != (bool)(funct3 & 1);
}

/* ---- one instruction ---- */

/* How an instruction ends: cause < 0 is without a trap. */
typedef struct outcome {
  int cause;
  uint32_t tval;
} outcome_t;

static outcome_t ok(void) {
  return (outcome_t){.cause = -1};
}
static outcome_t fault(int cause, uint32_t tval) {
  return (outcome_t){.cause = cause, .tval = tval};
}

static outcome_t load(stp_rv_t *rv, uint32_t insn, const stp_rv_lead_t *lead, stp_rv_retire_t *r) {
  unsigned funct3 = bits(insn, 14, 12);
  unsigned size = 1u << (funct3 & 3);
  uint32_t addr = rv->x[bits(insn, 19, 15)] + imm_i(insn);
  uint32_t v = 0;

  if (funct3 == 3 || funct3 >= 6) return fault(STP_RV_EXC_ILLEGAL, insn);
  if (addr & (size - 1)) return fault(STP_RV_EXC_LOAD_MISALIGNED, addr);
  if (addr < rv->tcm_bytes) {
    v = tcm_load(rv, addr, size);
  } else if (addr >= STP_RV_MMIO_BASE) {
    if (lead) {
      if (lead->bus_error) return fault(STP_RV_EXC_LOAD_FAULT, addr);
      v = lead->load_value;
    } else if (!rv->bus.load || !rv->bus.load(rv->bus.ctx, addr, size, &v)) {
      return fault(STP_RV_EXC_LOAD_FAULT, addr);
    }
  } else {
    return fault(STP_RV_EXC_LOAD_FAULT, addr);
  }
  if (size < 4) {
    v &= (1u << (8 * size)) - 1;
    if (!(funct3 & 4)) v = sext(v, 8 * size);
  }
  r->mem_re = true;
  r->mem_addr = addr;
  r->mem_data = v;
  r->rd_we = true;
  r->rd_data = v;
  return ok();
}

static outcome_t store(stp_rv_t *rv, uint32_t insn, const stp_rv_lead_t *lead, stp_rv_retire_t *r) {
  unsigned funct3 = bits(insn, 14, 12);
  unsigned size = 1u << (funct3 & 3);
  uint32_t addr = rv->x[bits(insn, 19, 15)] + imm_s(insn);
  uint32_t v = rv->x[bits(insn, 24, 20)];

  if (funct3 > 2) return fault(STP_RV_EXC_ILLEGAL, insn);
  if (addr & (size - 1)) return fault(STP_RV_EXC_STORE_MISALIGNED, addr);
  if (size < 4) v &= (1u << (8 * size)) - 1;
  if (addr < rv->tcm_bytes) {
    tcm_store(rv, addr, size, v);
  } else if (addr >= STP_RV_MMIO_BASE) {
    bool refused =
        lead ? lead->bus_error : !rv->bus.store || !rv->bus.store(rv->bus.ctx, addr, size, v);
    if (refused) return fault(STP_RV_EXC_STORE_FAULT, addr);
  } else {
    return fault(STP_RV_EXC_STORE_FAULT, addr);
  }
  r->mem_we = true;
  r->mem_addr = addr;
  r->mem_data = v;
  return ok();
}

static outcome_t csr_insn(stp_rv_t *rv, uint32_t insn, const stp_rv_lead_t *lead,
                          stp_rv_retire_t *r, counted_t *counted) {
  unsigned funct3 = bits(insn, 14, 12);
  unsigned rs1 = bits(insn, 19, 15);
  uint32_t addr = insn >> 20;
  uint32_t src = funct3 & 4 ? rs1 : rv->x[rs1];
  bool write = (funct3 & 3) == 1 || rs1 != 0;
  uint32_t old;

  if (!csr_read(rv, addr, lead, &old)) return fault(STP_RV_EXC_ILLEGAL, insn);
  if (write && addr >> 10 == 3) return fault(STP_RV_EXC_ILLEGAL, insn);
  if (write) {
    uint32_t v = (funct3 & 3) == 1 ? src : (funct3 & 3) == 2 ? old | src : old & ~src;
    csr_write(rv, addr, v, counted);
  }
  r->rd_we = true;
  r->rd_data = old;
  return ok();
}

static outcome_t system_insn(stp_rv_t *rv, uint32_t insn, const stp_rv_lead_t *lead,
                             stp_rv_retire_t *r, uint32_t *next_pc, counted_t *counted) {
  if (bits(insn, 13, 12) != 0) return csr_insn(rv, insn, lead, r, counted);
  switch (insn) {
  case 0x00000073:
    return fault(STP_RV_EXC_ECALL_M, 0);
  case 0x00100073:
    return fault(STP_RV_EXC_BREAKPOINT, rv->pc);
  case 0x30200073: /* mret */
    rv->mie = rv->mpie;
    rv->mpie = true;
    *next_pc = rv->mepc;
    return ok();
  case 0x10500073: /* wfi: stp_rv_step decides whether it waits */
    return ok();
  default:
    return fault(STP_RV_EXC_ILLEGAL, insn);
  }
}

/* Executes insn. On a trap nothing has changed but *r. */
static outcome_t execute(stp_rv_t *rv, uint32_t insn, const stp_rv_lead_t *lead, stp_rv_retire_t *r,
                         uint32_t *next_pc, counted_t *counted) {
  unsigned funct3 = bits(insn, 14, 12);
  unsigned funct7 = bits(insn, 31, 25);
  uint32_t a = rv->x[bits(insn, 19, 15)];
  uint32_t b = rv->x[bits(insn, 24, 20)];
  uint32_t target = 0;
  bool jump = false;
  outcome_t out = ok();

  switch (bits(insn, 6, 0)) {
  case 0x37: /* lui */
    r->rd_we = true;
    r->rd_data = insn & 0xfffff000u;
    break;
  case 0x17: /* auipc */
    r->rd_we = true;
    r->rd_data = rv->pc + (insn & 0xfffff000u);
    break;
  case 0x6f: /* jal */
    jump = true;
    target = rv->pc + imm_j(insn);
    r->rd_we = true;
    r->rd_data = rv->pc + 4;
    break;
  case 0x67: /* jalr */
    if (funct3 != 0) return fault(STP_RV_EXC_ILLEGAL, insn);
    jump = true;
    target = (a + imm_i(insn)) & ~1u;
    r->rd_we = true;
    r->rd_data = rv->pc + 4;
    break;
  case 0x63: /* branches */
    if (funct3 == 2 || funct3 == 3) return fault(STP_RV_EXC_ILLEGAL, insn);
    jump = branch_taken(funct3, a, b);
    target = rv->pc + imm_b(insn);
    break;
  case 0x03:
    return load(rv, insn, lead, r);
  case 0x23:
    return store(rv, insn, lead, r);
  case 0x13: /* arithmetic with immediate */
    if (funct3 == 1 && funct7 != 0) return fault(STP_RV_EXC_ILLEGAL, insn);
    if (funct3 == 5 && funct7 != 0 && funct7 != 0x20) return fault(STP_RV_EXC_ILLEGAL, insn);
    r->rd_we = true;
    r->rd_data = alu(funct3, funct3 == 5 && funct7 == 0x20, a, imm_i(insn));
    break;
  case 0x33: /* arithmetic between registers */
    r->rd_we = true;
    if (funct7 == 1)
      r->rd_data = muldiv(funct3, a, b);
    else if (funct7 == 0 || (funct7 == 0x20 && (funct3 == 0 || funct3 == 5)))
      r->rd_data = alu(funct3, funct7 == 0x20, a, b);
    else
      return fault(STP_RV_EXC_ILLEGAL, insn);
    break;
  case 0x0f: /* fence, fence.i: accesses are in order, and stores are seen by fetches */
    if (funct3 > 1) return fault(STP_RV_EXC_ILLEGAL, insn);
    break;
  case 0x73:
    return system_insn(rv, insn, lead, r, next_pc, counted);
  default:
    return fault(STP_RV_EXC_ILLEGAL, insn);
  }
  if (jump) {
    if (target & 3) out = fault(STP_RV_EXC_FETCH_MISALIGNED, target);
    *next_pc = target;
  }
  return out;
}

static stp_rv_status_t step(stp_rv_t *rv, const stp_rv_lead_t *lead, stp_rv_retire_t *r) {
  uint32_t pending = rv->irq & rv->mie_reg;
  uint32_t inhibit = rv->mcountinhibit;
  counted_t counted = {true, true};
  bool take_irq;
  uint8_t irq_cause = 0;
  bool retired = false;

  *r = (stp_rv_retire_t){0};
  r->pc = rv->pc;

  if (rv->asleep && !lead) {
    if (pending == 0) {
      if (!(inhibit & INHIBIT_CY)) rv->mcycle++;
      return STP_RV_ASLEEP;
    }
  }
  /* The RTL decides when an interrupt comes, but not whether it may. A wfi that ends completes
   * before the interrupt. */
  if (lead) {
    irq_cause = lead->irq_cause;
    take_irq = lead->irq && rv->mie && (rv->mie_reg >> (irq_cause & 31) & 1);
  } else {
    take_irq = !rv->asleep && rv->mie && pending != 0;
    if (take_irq) irq_cause = irq_select(pending);
  }
  rv->asleep = false;

  if (take_irq) {
    take_trap(rv, r, true, irq_cause, 0);
  } else if (rv->pc >= rv->tcm_bytes) {
    take_trap(rv, r, false, STP_RV_EXC_FETCH_FAULT, rv->pc);
  } else {
    uint32_t insn = tcm_load(rv, rv->pc & ~3u, 4);
    uint32_t next_pc = rv->pc + 4;
    outcome_t out;

#ifdef STP_RV_COVERAGE
    stp_rv_reached(rv->pc, insn);
#endif
    r->insn = insn;
    r->rd = (uint8_t)bits(insn, 11, 7);
    if (insn == 0x10500073 && !lead && pending == 0) {
      rv->asleep = true;
      if (!(inhibit & INHIBIT_CY)) rv->mcycle++;
      return STP_RV_ASLEEP;
    }
    out = execute(rv, insn, lead, r, &next_pc, &counted);
    if (out.cause >= 0) {
      take_trap(rv, r, false, (uint8_t)out.cause, out.tval);
    } else {
      if (r->rd == 0) r->rd_we = false;
      if (r->rd_we) rv->x[r->rd] = r->rd_data;
      rv->pc = next_pc;
      retired = true;
    }
  }
  if (counted.cycle && !(inhibit & INHIBIT_CY)) rv->mcycle++;
  if (retired && counted.instret && !(inhibit & INHIBIT_IR)) rv->minstret++;
  return STP_RV_STEPPED;
}

stp_rv_status_t stp_rv_step(stp_rv_t *rv, stp_rv_retire_t *out) {
  stp_rv_retire_t scratch;
  return step(rv, NULL, out ? out : &scratch);
}

void stp_rv_step_led(stp_rv_t *rv, const stp_rv_lead_t *lead, stp_rv_retire_t *out) {
  stp_rv_retire_t scratch;
  (void)step(rv, lead, out ? out : &scratch);
}

/* ---- comparison ---- */

stp_rv_lead_t stp_rv_lead(const stp_rv_retire_t *rtl) {
  stp_rv_lead_t lead = {0};
  lead.irq = rtl->trap && rtl->irq;
  lead.irq_cause = rtl->cause;
  lead.bus_error = rtl->trap && !rtl->irq &&
                   (rtl->cause == STP_RV_EXC_LOAD_FAULT || rtl->cause == STP_RV_EXC_STORE_FAULT);
  lead.load_value = rtl->mem_data;
  /* Without a destination the value is seen by nobody, except by a set or clear of mcycle, whose
   * value is the RTL's. */
  lead.csr_value = rtl->rd_we ? rtl->rd_data : 0;
  return lead;
}

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static bool
differs(char *msg, size_t size, const char *format, ...) {
  if (size > 0) {
    va_list ap;
    va_start(ap, format);
    vsnprintf(msg, size, format, ap);
    va_end(ap);
  }
  return false;
}

bool stp_rv_compare(const stp_rv_retire_t *rtl, const stp_rv_retire_t *iss, char *msg,
                    size_t size) {
  if (size > 0) msg[0] = '\0';
#define CHECK(field, when)                                                                         \
  if ((when) && rtl->field != iss->field)                                                          \
  return differs(msg, size,                                                                        \
                 "pc 0x%08" PRIx32 " insn 0x%08" PRIx32 ": " #field " is 0x%" PRIx32               \
                 " in the RTL, 0x%" PRIx32 " in the simulator",                                    \
                 rtl->pc, rtl->insn, (uint32_t)rtl->field, (uint32_t)iss->field)
  CHECK(pc, true);
  CHECK(trap, true);
  CHECK(irq, iss->trap);
  CHECK(cause, iss->trap);
  CHECK(insn, true);
  CHECK(rd_we, true);
  CHECK(rd, iss->rd_we);
  CHECK(rd_data, iss->rd_we);
  CHECK(mem_re, true);
  CHECK(mem_we, true);
  CHECK(mem_addr, iss->mem_re || iss->mem_we || iss->trap);
  CHECK(mem_data, iss->mem_re || iss->mem_we);
#undef CHECK
  return true;
}
