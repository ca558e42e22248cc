/*
 * RV32IM instruction-set simulator: the management processor of Steeple, one instruction at a time.
 *
 * It has the architecture of rtl/mgmt/mp_core.sv: RV32IM, Zicsr, Zifencei, machine mode only,
 * tightly coupled memory at address 0, MMIO at 0x8000_0000 and above, access faults elsewhere. The
 * values that each control register can hold are listed in rtl/mgmt/mp_csr.sv.
 *
 * Two ways to run it:
 *  - alone: stp_rv_step(), with the bus callbacks as devices and stp_rv_t.irq as interrupt lines;
 *  - led by the RTL: for each record of the RTL's retirement port, stp_rv_lead() extracts what only
 * the RTL can know (the arrival of an interrupt, values read from MMIO and from counters of time),
 * stp_rv_step_led() takes the same step with them, and stp_rv_compare() compares the two records.
 * The bus is not called then.
 *
 * A simulator is one stp_rv_t, owned by the caller; there is no other state, so several run side by
 * side.
 */
#ifndef STP_RV_H
#define STP_RV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STP_RV_MMIO_BASE 0x80000000u

/* Bits of interrupt lines, as in mip and mie. */
#define STP_RV_IRQ_SOFTWARE (1u << 3)
#define STP_RV_IRQ_TIMER (1u << 7)
#define STP_RV_IRQ_EXTERNAL (1u << 11)

/* Exception codes of mcause. */
enum {
  STP_RV_EXC_FETCH_MISALIGNED = 0,
  STP_RV_EXC_FETCH_FAULT = 1,
  STP_RV_EXC_ILLEGAL = 2,
  STP_RV_EXC_BREAKPOINT = 3,
  STP_RV_EXC_LOAD_MISALIGNED = 4,
  STP_RV_EXC_LOAD_FAULT = 5,
  STP_RV_EXC_STORE_MISALIGNED = 6,
  STP_RV_EXC_STORE_FAULT = 7,
  STP_RV_EXC_ECALL_M = 11,
};

/*
 * Devices. addr is the byte address (at least STP_RV_MMIO_BASE, aligned to size), size is 1, 2 or 4
 * bytes. A load gives the size low bytes of *value, a store takes them. Both return true if the
 * access was answered, false for an access fault, in which case the device has done nothing. A null
 * callback refuses every access.
 */
typedef struct stp_rv_bus {
  void *ctx;
  bool (*load)(void *ctx, uint32_t addr, unsigned size, uint32_t *value);
  bool (*store)(void *ctx, uint32_t addr, unsigned size, uint32_t value);
} stp_rv_bus_t;

typedef struct stp_rv {
  uint32_t pc;
  uint32_t x[32]; /* x[0] stays zero */

  bool mie, mpie; /* in mstatus */
  uint32_t mie_reg;
  uint32_t mtvec, mscratch, mepc, mcause, mtval;
  uint32_t mcountinhibit;
  uint64_t mcycle; /* counts steps; owners who know the time may set it before a step */
  uint64_t minstret;
  uint32_t mhartid;

  uint32_t irq; /* interrupt lines, STP_RV_IRQ_*, set by the owner at any time */
  bool asleep;  /* in wfi */

  uint8_t *tcm; /* owned by the caller, little-endian */
  uint32_t tcm_bytes;
  stp_rv_bus_t bus;
} stp_rv_t;

/* One step: an instruction that completed, or a trap. Fields as on the retirement port
 * (rtl/mgmt/mp_core.sv). */
typedef struct stp_rv_retire {
  uint32_t pc;
  uint32_t insn; /* 0 for an interrupt and for a fetch that failed */
  uint32_t rd_data;
  uint32_t mem_addr; /* of a load or store; mtval of an exception; 0 for an interrupt */
  uint32_t mem_data; /* loaded value as extended, or stored value zero-extended */
  uint8_t rd;
  uint8_t cause; /* of a trap: mcause without its top bit */
  bool rd_we;    /* never for x0 */
  bool mem_re;
  bool mem_we;
  bool trap; /* exception or interrupt */
  bool irq;  /* interrupt */
} stp_rv_retire_t;

/* What the RTL knows of a step and the simulator cannot. */
typedef struct stp_rv_lead {
  bool irq;            /* an interrupt is taken in this step ... */
  uint8_t irq_cause;   /* ... with this code */
  bool bus_error;      /* an MMIO access in this step is refused */
  uint32_t load_value; /* an MMIO load in this step gives this */
  uint32_t csr_value;  /* a read of mip or of (m)cycle[h] in this step gives this */
} stp_rv_lead_t;

typedef enum stp_rv_status {
  STP_RV_STEPPED, /* *out describes the step */
  STP_RV_ASLEEP,  /* wfi, and no enabled interrupt is pending: nothing happened but time (mcycle) */
} stp_rv_status_t;

/*
 * Puts *rv in the state after reset: pc 0, control registers as the RTL resets them, x1..x31 zero
 * (the RTL leaves them undefined). tcm points to tcm_bytes bytes (a power of two of at least 4)
 * that stay valid and are not touched here.
 */
void stp_rv_init(stp_rv_t *rv, uint8_t *tcm, uint32_t tcm_bytes, const stp_rv_bus_t *bus);

/* Takes one step alone. out may be null. */
stp_rv_status_t stp_rv_step(stp_rv_t *rv, stp_rv_retire_t *out);

/* Takes one step led by the RTL. Never asleep: the RTL's wfi has ended when it is seen. rv->irq is
 * not used. */
void stp_rv_step_led(stp_rv_t *rv, const stp_rv_lead_t *lead, stp_rv_retire_t *out);

/* What a record of the RTL says that the simulator has to be told. */
stp_rv_lead_t stp_rv_lead(const stp_rv_retire_t *rtl);

/*
 * Compares a record of the RTL with the simulator's. Returns true if they are equal in all fields
 * that apply; else writes a message that names the first different field, with both values, to msg
 * (at most size bytes, always terminated).
 */
bool stp_rv_compare(const stp_rv_retire_t *rtl, const stp_rv_retire_t *iss, char *msg, size_t size);

#ifdef __cplusplus
}
#endif

#endif
