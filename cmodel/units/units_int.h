/* What the files of cmodel/units share. */
#ifndef STP_UNITS_INT_H
#define STP_UNITS_INT_H

#include "core.h"
#include "numerics.h"
#include "stp_arch.h"
#include "stp_isa.h"

/* How a transfer in hand stands after its step function. */
typedef enum stp_step {
  STP_STEP_DONE,    /* finished */
  STP_STEP_BLOCKED, /* waits for a FIFO */
  STP_STEP_AGAIN,   /* can go on: the budget is used up, or the tap asked to stop */
  STP_STEP_TRAP,    /* trapped */
} stp_step_t;

/* An instruction as the sequencer and the engines want it: decoded when its row is written. */
typedef struct stp_insn {
  uint8_t op, rd, ra, rb;
  uint8_t payload; /* goes to the engine */
  uint8_t postinc;
  uint8_t cause; /* not STP_CAUSE_NONE: traps when reached, with address trap_addr ... */
  uint8_t late;  /* ... in the engine rather than in the sequencer */
  uint16_t aux;
  int32_t imm;
  uint64_t trap_addr;
  /* SFU */
  uint8_t vd, va, vb, vc, format, source, function, tee;
  unsigned sources : 2; /* how many of va, vb, vc it takes */
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

/* Posts that wait until counts of work that is done reach what was begun before them. */
#define STP_POST_CLASSES 5
typedef struct stp_posts {
  unsigned count;
  struct {
    uint8_t token;
    uint64_t mark[STP_POST_CLASSES];
  } entry[STP_POST_QUEUE]; /* 0 is the oldest */
} stp_posts_t;

typedef struct stp_pt_load {
  uint8_t op, bank, half, nblk, zero, format;
  uint8_t rows, row;
  uint64_t drains; /* of the half that come before */
} stp_pt_load_t;

typedef struct stp_pt_group {
  uint8_t rows, bank, half, nblk, zero, format, row;
  bool last; /* of its mm */
  uint64_t drains;
  _Alignas(64) uint8_t stick[STP_PT_ROWS][STP_STICK_BYTES];
} stp_pt_group_t;

typedef struct stp_pt_send {
  uint8_t half, row, rows;
  uint16_t pc;
  uint64_t writes; /* of the half that come before */
} stp_pt_send_t;

typedef struct stp_pt {
  /* [bank][8 * block + row]: sticks as they came, and the same widened to f32. */
  _Alignas(64) uint8_t weight[2][STP_PT_BLOCKS * STP_PT_ROWS][STP_STICK_BYTES];
  _Alignas(64) uint32_t wide[2][STP_PT_BLOCKS * STP_PT_ROWS][STP_LANES16];
  _Alignas(64) uint32_t acc[2][STP_PT_ACC_ROWS][STP_LANES16]; /* [half][row], f32 */
  /* Groups of rows: held of them, from walk on, wait for drains of their half; the next one is
   * filled. */
  stp_pt_group_t group[STP_PT_GROUPS];
  unsigned held, walk;
  int wide_format[2]; /* of wide, by bank; -1: not made yet */
  /* The loader takes sticks for load[0]; at is how many. */
  unsigned loads, at;
  stp_pt_load_t load[STP_PT_LOADS];
  /* Drains; sent sticks of the first. */
  unsigned sends, sent;
  stp_pt_send_t send[STP_PT_DRAINS];
  /* Work begun and done, by class (STP_PT_...). */
  uint64_t begun[STP_POST_CLASSES], done[STP_POST_CLASSES];
} stp_pt_t;
enum { STP_PT_WLOADS, STP_PT_WRITES, STP_PT_SENDS = STP_PT_WRITES + 2 }; /* the last two by half */

typedef struct stp_sfu {
  _Alignas(64) uint8_t reg[STP_SFU_REGS][STP_STICK_BYTES];
  /* Results that the FIFO has no room for. */
  _Alignas(64) uint8_t out[STP_SFU_OUT][STP_STICK_BYTES];
  uint16_t out_pc[STP_SFU_OUT];
  unsigned out_head, outs;
  /* Instructions and sticks to OUT, begun and done. */
  uint64_t begun[STP_POST_CLASSES], done[STP_POST_CLASSES];
} stp_sfu_t;

/* The transposer of LX-LU. A block is filled with rows; when it is full, columns leave. */
typedef struct stp_turn_block {
  uint8_t rows, size; /* of an element in bytes */
  uint8_t cols, sent; /* columns that leave, and that have left */
  bool to_sfu;
  uint16_t pc;
  uint32_t pad;
  _Alignas(64) uint8_t row[STP_LANES16][STP_STICK_BYTES];
} stp_turn_block_t;
typedef struct stp_turn {
  unsigned full, first; /* full blocks, and the oldest of them; the other one, or both, may fill */
  stp_turn_block_t block[2];
} stp_turn_t;

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

  /* between sequencer and engine */
  unsigned queued;
  stp_payload_t queue[STP_PAYLOAD_QUEUE]; /* 0 is the oldest */

  /* engine: the transfer, or SFU instruction, in hand; its position and its own copy of the
   * descriptor */
  bool active;
  stp_payload_t cur;
  uint32_t i[4];
  int64_t desc[16];
  int64_t cfg[16];
  bool pending; /* MNI, LX: a post behind the transfer in hand */
  uint8_t pending_token;
  stp_posts_t posts; /* PT, SFU */
  bool bad;          /* PT, SFU: cur traps when all else is done, and nothing is taken after it */
  stp_payload_t bad_payload;

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
  bool halted;  /* by stp_core_halt, until the next clear */
  unsigned turn;
  uint8_t *lx;
  uint8_t token[STP_UNITS][STP_UNITS][STP_TOKENS_PER_PAIR]; /* [from][to][index] */
  stp_unit_t unit[STP_UNITS];
  stp_fifo_t fifo[STP_CORELETS][4];
  stp_pt_t pt[STP_CORELETS];
  stp_sfu_t sfu[STP_CORELETS];
  stp_turn_t turn_lu[STP_CORELETS];
};

/* decode.c: the decoded form of a word for a unit of that kind. */
void stp_decode(uint64_t word, unsigned kind, stp_insn_t *out);
/* Static checks of an SFU instruction, whose fields are already split. */
void stp_decode_sfu(uint64_t word, stp_insn_t *out);

/* seq.c: runs a unit (sequencer and engine) until it must wait or about budget steps are made.
 * Returns the number of steps, 0 if it could not move. */
uint64_t stp_unit_run(stp_core_t *c, stp_unit_t *u, uint64_t budget);
void stp_unit_trap(stp_unit_t *u, unsigned cause, uint64_t addr, uint32_t pc);

/* engine.c: lets the engine go on. Returns the steps made, 0 if it could not move. */
uint64_t stp_engine_run(stp_core_t *c, stp_unit_t *u, uint64_t budget);
/* Nothing in hand, nothing queued. */
bool stp_engine_idle(const stp_core_t *c, const stp_unit_t *u);
/* Drops what engine and queue hold. */
void stp_engine_clear(stp_core_t *c, stp_unit_t *u);
/* Removes and returns the oldest payload of the queue, and counts it as taken. */
stp_payload_t stp_take(stp_unit_t *u);
/* Increments a token, unless it is full. */
bool stp_post(stp_core_t *c, const stp_unit_t *u, unsigned token);
/* PT, SFU: takes a post from the queue, or fires the oldest post if done has come to its marks.
 * Both return the steps made. */
uint64_t stp_posts_push(stp_unit_t *u, const uint64_t begun[STP_POST_CLASSES]);
uint64_t stp_posts_fire(stp_core_t *c, stp_unit_t *u, const uint64_t done[STP_POST_CLASSES]);

/* One step of a transfer: u->cur, from where u->i stands. Adds what has moved to *work, up to about
 * budget. */
stp_step_t stp_mni_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget);
stp_step_t stp_lx_lu_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget);
stp_step_t stp_lx_su_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget);
/* LX-LU: sends columns of the transposer's full blocks while there is room. Returns the steps made.
 */
uint64_t stp_turn_run(stp_core_t *c, stp_unit_t *u);
/* Whether blocks are full: no other load, no post and no trap comes before their columns. */
bool stp_turn_full(const stp_core_t *c, const stp_unit_t *u);
void stp_turn_clear(stp_core_t *c, stp_unit_t *u);
/* Whole engines. */
uint64_t stp_pt_run(stp_core_t *c, stp_unit_t *u, uint64_t budget);
bool stp_pt_idle(const stp_core_t *c, const stp_unit_t *u);
void stp_pt_clear(stp_core_t *c, stp_unit_t *u);
uint64_t stp_sfu_run(stp_core_t *c, stp_unit_t *u, uint64_t budget);
bool stp_sfu_idle(const stp_core_t *c, const stp_unit_t *u);
void stp_sfu_clear(stp_core_t *c, stp_unit_t *u);

/* Reset values of the descriptor of a unit of that kind. */
void stp_cfg_reset(stp_unit_t *u);
/* cfg: writes a descriptor field; false where the value is out of range. */
bool stp_cfg_write(stp_unit_t *u, const stp_payload_t *p);

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
