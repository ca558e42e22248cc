/* What the files of cmodel/units share. */
#ifndef STP_UNITS_INT_H
#define STP_UNITS_INT_H

#include "core.h"
#include "numerics.h"
#include "stp_arch.h"
#include "stp_isa.h"

/* How an engine leaves the payload in hand. */
typedef enum stp_step {
  STP_STEP_DONE,    /* finished */
  STP_STEP_BLOCKED, /* waits for a FIFO or a token */
  STP_STEP_AGAIN,   /* can go on: the slice is used up, or the tap asked to stop */
  STP_STEP_TRAP,    /* trapped */
} stp_step_t;

/* An instruction as the sequencer and the engines want it: decoded when its row is written. */
typedef struct stp_insn {
  uint8_t op, rd, ra, rb;
  uint8_t payload; /* goes to the engine */
  uint8_t postinc;
  uint8_t cause; /* not STP_CAUSE_NONE: traps when reached, with address trap_addr */
  uint16_t aux;
  int32_t imm;
  uint64_t trap_addr;
  /* SFU */
  uint8_t vd, va, vb, vc, sources, format, source, function, tee;
} stp_insn_t;

typedef struct stp_payload {
  const stp_insn_t *insn;
  uint64_t a, b, c;
  uint16_t pc;
} stp_payload_t;

typedef struct stp_fifo {
  _Alignas(64) uint8_t stick[STP_FIFO_DEPTH][STP_STICK_BYTES];
  unsigned head, count;
} stp_fifo_t;

typedef struct stp_loop {
  uint32_t first, end;
  uint64_t left; /* iterations that remain, this one included */
} stp_loop_t;

typedef struct stp_pt {
  /* [bank][8 * block + row]: sticks as they came, and the same widened to f32 for a format (-1: not
   * yet). */
  _Alignas(64) uint8_t weight[2][STP_PT_BLOCKS * STP_PT_ROWS][STP_STICK_BYTES];
  _Alignas(64) uint32_t wide[2][STP_PT_BLOCKS * STP_PT_ROWS][STP_LANES16];
  int wide_format[2];
  _Alignas(64) uint32_t acc[2][STP_PT_ACC_ROWS][STP_LANES16]; /* [half][row], f32 */
  /* The drain process, which runs beside the loads and multiplications that follow it. */
  bool draining;
  uint8_t drain_half;
  uint16_t drain_stick, drain_end; /* stick i is half i & 1 of accumulator row i >> 1 */
  uint16_t drain_pc;
} stp_pt_t;

typedef struct stp_sfu {
  _Alignas(64) uint8_t reg[STP_SFU_REGS][STP_STICK_BYTES];
} stp_sfu_t;

typedef struct stp_unit {
  uint8_t id, kind, corelet;
  bool running, halted, trapped, blocked;
  uint8_t cause;
  uint64_t trap_addr;

  /* sequencer */
  uint32_t pc;
  uint32_t loop_end; /* of the innermost loop, UINT32_MAX without one */
  unsigned loops;
  uint64_t r[STP_REGS];
  stp_loop_t loop[STP_LOOP_DEPTH];

  /* engine: the payload in hand, where it stands, and what waits behind it */
  bool active;
  bool fresh; /* the payload in hand has not been tried yet */
  unsigned queued;
  uint32_t i[4];
  stp_payload_t cur;
  stp_payload_t queue[STP_PAYLOAD_QUEUE];
  int64_t cfg[16];

  uint64_t count[16]; /* by STP_STAT_ */

  stp_insn_t program[STP_PROG_WORDS];
  uint64_t args[STP_ARGS];
} stp_unit_t;

struct stp_core {
  unsigned core, cores;
  stp_core_io_t io;
  const struct stp_num *num;
  stp_tap_fn tap;
  void *tap_user;
  bool tap_stop;
  bool started; /* something was, since the last clear */
  bool quiet;   /* no unit can move */
  unsigned turn;
  uint8_t *lx;
  uint8_t token[STP_UNITS][STP_UNITS][STP_TOKENS_PER_PAIR]; /* [from][to][index] */
  stp_unit_t unit[STP_UNITS];
  stp_fifo_t fifo[STP_CORELETS][4];
  stp_pt_t pt[STP_CORELETS];
  stp_sfu_t sfu[STP_CORELETS];
};

/* decode.c: the decoded form of a word for a unit of that kind. */
void stp_decode(uint64_t word, unsigned kind, stp_insn_t *out);
/* Static checks of an SFU instruction, whose fields are already split. */
void stp_decode_sfu(uint64_t word, stp_insn_t *out);

/* seq.c: runs a unit (sequencer and engine) until it must wait or about budget steps are made.
 * Returns the number of steps, 0 if it could not move. */
uint64_t stp_unit_run(stp_core_t *c, stp_unit_t *u, uint64_t budget);
/* Nothing in hand, nothing queued. */
bool stp_engine_idle(const stp_core_t *c, const stp_unit_t *u);
void stp_unit_trap(stp_unit_t *u, unsigned cause, uint64_t addr, uint32_t pc);

/* Engines. Each works on u->cur and adds what it has moved to *work, up to about budget. */
stp_step_t stp_mni_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget);
stp_step_t stp_lx_lu_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget);
stp_step_t stp_lx_su_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget);
stp_step_t stp_pt_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget);
stp_step_t stp_sfu_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget);
/* Moves a pending drain. Returns the number of sticks sent. */
uint64_t stp_pt_drain(stp_core_t *c, stp_unit_t *u);

/* Reset values of the descriptor of a unit of that kind. */
void stp_cfg_reset(stp_unit_t *u);
/* cfg: writes a descriptor field, or traps. */
stp_step_t stp_cfg_write(stp_unit_t *u);

/* Reports a stick to the tap. strb NULL: all bytes. */
void stp_tap_stick(stp_core_t *c, const stp_unit_t *u, unsigned pc, uint64_t addr,
                   const uint8_t *data, const uint8_t *strb);
/* Sets bits first .. first + n - 1 of a strobe of 16 bytes, and clears the others. */
void stp_strobe(uint8_t strb[16], unsigned first, unsigned n);

static inline stp_fifo_t *stp_unit_fifo(stp_core_t *c, const stp_unit_t *u, unsigned fifo) {
  return &c->fifo[u->corelet][fifo];
}
static inline bool stp_fifo_full(const stp_fifo_t *f) {
  return f->count == STP_FIFO_DEPTH;
}
/* The oldest stick; there must be one. It stays valid until the FIFO is pushed after the pop. */
static inline const uint8_t *stp_fifo_front(const stp_fifo_t *f) {
  return f->stick[f->head];
}
static inline void stp_fifo_pop(stp_fifo_t *f) {
  f->head = (f->head + 1) % STP_FIFO_DEPTH;
  f->count--;
}
/* The place of the next stick; there must be room. */
static inline uint8_t *stp_fifo_back(stp_fifo_t *f) {
  return f->stick[(f->head + f->count) % STP_FIFO_DEPTH];
}
/* Counts and reports the stick that was put into stp_fifo_back(f), and pushes it. */
static inline void stp_fifo_push(stp_core_t *c, stp_unit_t *u, stp_fifo_t *f, unsigned pc,
                                 uint64_t tap_addr) {
  if (c->tap != NULL) stp_tap_stick(c, u, pc, tap_addr, stp_fifo_back(f), NULL);
  f->count++;
  u->count[STP_STAT_ITEMS]++;
  u->count[STP_STAT_BYTES] += STP_STICK_BYTES;
}

#define STP_ADDR_MASK (((uint64_t)1 << STP_ADDR_BITS) - 1)

#endif
