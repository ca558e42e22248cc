/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over the cone of a value: what it is computed from. */
#include "build.h"

static bool has(stp_tval_t *t, stp_tv_kind_t kind, unsigned stamp) {
  if (t->kind == kind) return true;
  if (t->stamp == stamp) return false;
  t->stamp = stamp;
  for (int i = 0; i < t->num_srcs; i++) {
    if (has(t->srcs[i], kind, stamp)) return true;
  }
  return false;
}

bool stp_cone_has(stp_builder_t *b, stp_tval_t *t, stp_tv_kind_t kind) {
  return has(t, kind, ++b->stamp);
}

static bool row_wise(stp_builder_t *b, stp_tval_t *t, unsigned stamp) {
  if (t->kind == STP_TV_REDUCE) return true;
  if (t->stamp_over == stamp) return false;
  t->stamp_over = stamp;
  if (t->kind == STP_TV_BCAST && stp_cone_has(b, t->srcs[0], STP_TV_PT)) return true;
  for (int i = 0; i < t->num_srcs; i++) {
    if (row_wise(b, t->srcs[i], stamp)) return true;
  }
  return false;
}

bool stp_cone_row_wise(stp_builder_t *b, stp_tval_t *t) {
  return row_wise(b, t, ++b->stamp);
}

static stp_tval_t *reduction(stp_tval_t *t, unsigned stamp) {
  if (t->kind == STP_TV_REDUCE) return t;
  if (t->kind == STP_TV_BCAST || t->stamp == stamp) return NULL;
  t->stamp = stamp;
  stp_tval_t *r = NULL;
  for (int i = 0; i < t->num_srcs && !r; i++) r = reduction(t->srcs[i], stamp);
  return r;
}

stp_tval_t *stp_cone_reduction(stp_builder_t *b, stp_tval_t *t) {
  return reduction(t, ++b->stamp);
}

static int uses(stp_tval_t *t, const stp_tval_t *what, unsigned stamp) {
  if (t->stamp == stamp) return 0;
  t->stamp = stamp;
  int n = 0;
  for (int i = 0; i < t->num_srcs; i++) n += (t->srcs[i] == what) + uses(t->srcs[i], what, stamp);
  return n;
}

int stp_cone_uses(stp_builder_t *b, stp_tval_t *t, const stp_tval_t *what) {
  return uses(t, what, ++b->stamp);
}
