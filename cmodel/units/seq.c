/* The sequencer: scalar instructions, control flow, tokens, and the queue of payloads to the
 * engine. */
#include "units_int.h"

void stp_unit_trap(stp_unit_t *u, unsigned cause, uint64_t addr, uint32_t pc) {
  u->running = false;
  u->trapped = true;
  u->blocked = false;
  u->cause = (uint8_t)cause;
  u->trap_addr = addr & STP_ADDR_MASK;
  u->pc = pc;
}

/* An ALU operation, by the opcode of its register form. */
static uint64_t alu(unsigned op, uint64_t a, uint64_t b) {
  const int64_t sa = (int64_t)a, sb = (int64_t)b;
  switch (op) {
  case STP_OP_ADD:
    return a + b;
  case STP_OP_SUB:
    return a - b;
  case STP_OP_MUL:
    return a * b;
  case STP_OP_AND:
    return a & b;
  case STP_OP_OR:
    return a | b;
  case STP_OP_XOR:
    return a ^ b;
  case STP_OP_SHL:
    return a << (b & 63);
  case STP_OP_SHR:
    return a >> (b & 63);
  case STP_OP_SRA:
    return (uint64_t)(sa >> (b & 63));
  case STP_OP_SLT:
    return sa < sb;
  case STP_OP_SLTU:
    return a < b;
  case STP_OP_SEQ:
    return a == b;
  case STP_OP_SNE:
    return a != b;
  case STP_OP_MIN:
    return sa < sb ? a : b;
  case STP_OP_MAX:
    return sa > sb ? a : b;
  case STP_OP_MINU:
    return a < b ? a : b;
  case STP_OP_MAXU:
    return a > b ? a : b;
  case STP_OP_DIVS:
    if (b == 0) return UINT64_MAX;
    if (sa == INT64_MIN && sb == -1) return a;
    return (uint64_t)(sa / sb);
  case STP_OP_DIVU:
    return b == 0 ? UINT64_MAX : a / b;
  case STP_OP_REMS:
    if (b == 0) return a;
    if (sa == INT64_MIN && sb == -1) return 0;
    return (uint64_t)(sa % sb);
  default:
    return b == 0 ? a : a % b; /* remu */
  }
}

static void set_reg(stp_unit_t *u, unsigned rd, uint64_t value) {
  if (rd != 0) u->r[rd] = value;
}

static void pop_loop(stp_unit_t *u) {
  u->loops--;
  u->loop_end = u->loops == 0 ? UINT32_MAX : u->loop[u->loops - 1].end;
}

/* The pc after an instruction that does not jump: the next, or the first of the innermost loop. */
static void advance(stp_unit_t *u) {
  if (u->pc != u->loop_end) {
    u->pc++;
    return;
  }
  stp_loop_t *l = &u->loop[u->loops - 1];
  if (--l->left != 0) {
    u->pc = l->first;
  } else {
    pop_loop(u);
    u->pc++;
  }
}

typedef enum seq_result { SEQ_NEXT, SEQ_JUMPED, SEQ_WAIT } seq_result_t;

/* A trap of the sequencer waits until what came before is over; then the payload that faults first
 * has its say. */
static seq_result_t seq_trap(const stp_core_t *c, stp_unit_t *u, unsigned cause, uint64_t addr) {
  if (!stp_engine_idle(c, u)) return SEQ_WAIT;
  stp_unit_trap(u, cause, addr, u->pc);
  return SEQ_JUMPED;
}

static seq_result_t jump(const stp_core_t *c, stp_unit_t *u, uint64_t target) {
  if (target >= STP_PROG_WORDS) return seq_trap(c, u, STP_CAUSE_PC_RANGE, target);
  u->pc = (uint32_t)target;
  return SEQ_JUMPED;
}

static seq_result_t loop(const stp_core_t *c, stp_unit_t *u, const stp_insn_t *i) {
  const uint32_t end = (uint32_t)i->imm & 0xfff;
  const int64_t count = (int64_t)(u->r[i->ra] + (uint64_t)(int64_t)(i->imm >> 12));
  if (end <= u->pc) return seq_trap(c, u, STP_CAUSE_BAD_LOOP, end);
  if (count <= 0) return jump(c, u, end + 1);
  if (u->loops == STP_LOOP_DEPTH) return seq_trap(c, u, STP_CAUSE_BAD_LOOP, end);
  u->loop[u->loops] = (stp_loop_t){.first = u->pc + 1, .end = end, .left = (uint64_t)count};
  u->loops++;
  u->loop_end = end;
  u->pc++;
  return SEQ_JUMPED;
}

static seq_result_t load_scalar(const stp_core_t *c, stp_unit_t *u, const stp_insn_t *i) {
  const uint64_t addr = u->r[i->ra] + (uint64_t)(int64_t)i->imm;
  const unsigned size = 1u << (i->aux & 3);
  uint64_t value = 0;
  if ((addr & (size - 1)) != 0) return seq_trap(c, u, STP_CAUSE_LX_MISALIGNED, addr);
  if (addr >= STP_LX_BYTES) return seq_trap(c, u, STP_CAUSE_LX_RANGE, addr);
  for (unsigned n = 0; n < size; n++) value |= (uint64_t)c->lx[addr + n] << (8 * n);
  switch (i->aux) {
  case 4:
    value = (uint64_t)(int64_t)(int8_t)value;
    break;
  case 5:
    value = (uint64_t)(int64_t)(int16_t)value;
    break;
  case 6:
    value = (uint64_t)(int64_t)(int32_t)value;
    break;
  default:
    break;
  }
  set_reg(u, i->rd, value);
  return SEQ_NEXT;
}

static uint64_t special(const stp_core_t *c, const stp_unit_t *u, unsigned number) {
  switch (number) {
  case STP_SPR_CORE:
    return c->core;
  case STP_SPR_CORES:
    return c->cores;
  case STP_SPR_CORELET:
    return u->corelet;
  default:
    return u->id; /* STP_SPR_UNIT: decode admits no other */
  }
}

static seq_result_t scalar(stp_core_t *c, stp_unit_t *u, const stp_insn_t *i) {
  const uint64_t a = u->r[i->ra], b = u->r[i->rb], imm = (uint64_t)(int64_t)i->imm;
  bool taken;
  switch (i->op) {
  case STP_OP_NOP:
    return SEQ_NEXT;
  case STP_OP_HALT:
    if (!stp_engine_idle(c, u)) return SEQ_WAIT;
    u->running = false;
    u->halted = true;
    u->blocked = false;
    return SEQ_JUMPED;
  case STP_OP_TRAPIF:
    if (a == 0) return SEQ_NEXT;
    return seq_trap(c, u, STP_CAUSE_TRAPIF, imm);
  case STP_OP_WAIT: {
    uint8_t *count = &c->token[i->aux >> 2][u->id][i->aux & 3];
    if (*count == 0) return SEQ_WAIT;
    --*count;
    return SEQ_NEXT;
  }
  case STP_OP_JMP:
    return jump(c, u, imm);
  case STP_OP_JAL: {
    const uint32_t pc = u->pc;
    const seq_result_t s = jump(c, u, imm);
    if (imm < STP_PROG_WORDS) set_reg(u, i->rd, pc + 1);
    return s;
  }
  case STP_OP_JR:
    return jump(c, u, a);
  case STP_OP_LOOP:
    return loop(c, u, i);
  case STP_OP_UNLOOP:
    if (u->loops == 0) return seq_trap(c, u, STP_CAUSE_BAD_LOOP, 0);
    pop_loop(u);
    return SEQ_NEXT;
  case STP_OP_SPR:
    set_reg(u, i->rd, special(c, u, i->aux));
    return SEQ_NEXT;
  case STP_OP_ARG:
    if (a + imm >= STP_ARGS) return seq_trap(c, u, STP_CAUSE_ARG_RANGE, a + imm);
    set_reg(u, i->rd, u->args[a + imm]);
    return SEQ_NEXT;
  case STP_OP_LDX:
    return load_scalar(c, u, i);
  case STP_OP_BEQ:
    taken = a == b;
    break;
  case STP_OP_BNE:
    taken = a != b;
    break;
  case STP_OP_BLT:
    taken = (int64_t)a < (int64_t)b;
    break;
  case STP_OP_BGE:
    taken = (int64_t)a >= (int64_t)b;
    break;
  case STP_OP_BLTU:
    taken = a < b;
    break;
  case STP_OP_BGEU:
    taken = a >= b;
    break;
  case STP_OP_CMOVNZ:
    if (b != 0) set_reg(u, i->rd, a);
    return SEQ_NEXT;
  case STP_OP_MOVHI:
    set_reg(u, i->rd, imm << 32 | (a & 0xffffffffu));
    return SEQ_NEXT;
  default:
    if (i->op >= STP_OP_ADDI)
      set_reg(u, i->rd, alu(i->op - (STP_OP_ADDI - STP_OP_ADD), a, imm));
    else
      set_reg(u, i->rd, alu(i->op, a, b));
    return SEQ_NEXT;
  }
  return taken ? jump(c, u, imm) : SEQ_NEXT;
}

/* One instruction. Returns false where the sequencer must wait. */
static bool seq_step(stp_core_t *c, stp_unit_t *u) {
  if (u->pc >= STP_PROG_WORDS) return seq_trap(c, u, STP_CAUSE_PC_RANGE, u->pc) != SEQ_WAIT;
  const stp_insn_t *i = &u->program[u->pc];
  if (i->cause != STP_CAUSE_NONE && !i->late)
    return seq_trap(c, u, i->cause, i->trap_addr) != SEQ_WAIT;
  if (i->payload) {
    const stp_payload_t p = {
        .insn = i,
        .a = u->r[i->ra],
        .b = u->r[i->rb],
        .c = u->r[i->ra] + (uint64_t)(int64_t)i->imm,
        .pc = (uint16_t)u->pc,
    };
    if (u->queued == STP_PAYLOAD_QUEUE) return false;
    u->queue[u->queued++] = p;
    if (i->postinc) set_reg(u, i->rd, p.c);
    u->count[STP_STAT_INSNS]++;
    advance(u);
    return true;
  }
  const seq_result_t s = scalar(c, u, i);
  if (s == SEQ_WAIT) return false;
  if (!u->trapped) u->count[STP_STAT_INSNS]++;
  if (s == SEQ_NEXT) advance(u);
  return true;
}

uint64_t stp_unit_run(stp_core_t *c, stp_unit_t *u, uint64_t budget) {
  uint64_t work = 0;
  while (u->running && work < budget && !c->tap_stop) {
    const uint64_t before = work;
    work += stp_engine_run(c, u, budget - work);
    if (u->running && seq_step(c, u)) work++;
    if (work == before) break;
  }
  return work;
}
