/* SPDX-License-Identifier: Apache-2.0 */
/* What emit_lx.c and emit_row.c share. */
#ifndef STP_SCHED_EMIT_LX_H
#define STP_SCHED_EMIT_LX_H

#include "emit.h"
#include "vbody.h"

enum { STP_LX_TO_PT = 0, STP_LX_TO_SFU = 1 }; /* aux of ld */

/* Set the counts and strides of a transfer, innermost first; dimensions that continue each other
 * are merged. */
void stp_emit_lx_dims(stp_emit_t *e, const int64_t n[3], const int64_t s[3]);

/* A row pass in LX-LU's program, and in LX-SU's, where its result goes to `buf`. */
void stp_emit_row_lu(stp_emit_t *e, const stp_pass_t *pass, stp_vbody_t *v, unsigned absent);
void stp_emit_row_su(stp_emit_t *e, const stp_pass_t *pass, const stp_buf_t *buf, stp_vbody_t *v,
                     unsigned absent);

#endif
