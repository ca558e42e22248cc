// The AXI checkers: a legal sequence passes, and each kind of violation ends the simulation.
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <csetjmp>
extern "C" {
#include <cmocka.h>
}

#include <functional>
#include <memory>

#include BENCH_HEADER
#include "verilated.h"

namespace {

struct Bench {
  std::unique_ptr<VerilatedContext> ctx = std::make_unique<VerilatedContext>(); // outlives top
  std::unique_ptr<Vassert_tb> top;

  Bench() {
    ctx->fatalOnError(false); // a violation is to be seen here, not to abort
    top = std::make_unique<Vassert_tb>(ctx.get(), "assert_tb");
    top->arsize_i = top->awsize_i = 2;
    top->arburst_i = top->awburst_i = 1;
    top->rst_ni = 0;
    clock();
    clock();
    top->rst_ni = 1;
    clock();
  }
  ~Bench() { top->final(); }

  void clock() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
  }
  // Each of these is one cycle in which the channel hands over.
  void ar(unsigned id, unsigned addr, unsigned len) {
    top->arvalid_i = top->arready_i = 1;
    top->arid_i = id;
    top->araddr_i = addr;
    top->arlen_i = len;
    clock();
    top->arvalid_i = top->arready_i = 0;
  }
  void r(unsigned id, bool last) {
    top->rvalid_i = top->rready_i = 1;
    top->rid_i = id;
    top->rlast_i = last;
    clock();
    top->rvalid_i = top->rready_i = 0;
  }
  void aw(unsigned id, unsigned addr, unsigned len) {
    top->awvalid_i = top->awready_i = 1;
    top->awid_i = id;
    top->awaddr_i = addr;
    top->awlen_i = len;
    clock();
    top->awvalid_i = top->awready_i = 0;
  }
  void w(bool last) {
    top->wvalid_i = top->wready_i = 1;
    top->wlast_i = last;
    clock();
    top->wvalid_i = top->wready_i = 0;
  }
  void b(unsigned id) {
    top->bvalid_i = top->bready_i = 1;
    top->bid_i = id;
    clock();
    top->bvalid_i = top->bready_i = 0;
  }
  void l_ar(unsigned addr) {
    top->l_arvalid_i = top->l_arready_i = 1;
    top->l_araddr_i = addr;
    clock();
    top->l_arvalid_i = top->l_arready_i = 0;
  }
  void l_r() {
    top->l_rvalid_i = top->l_rready_i = 1;
    clock();
    top->l_rvalid_i = top->l_rready_i = 0;
  }
  void l_aw(unsigned addr) {
    top->l_awvalid_i = top->l_awready_i = 1;
    top->l_awaddr_i = addr;
    clock();
    top->l_awvalid_i = top->l_awready_i = 0;
  }
  void l_w() {
    top->l_wvalid_i = top->l_wready_i = 1;
    clock();
    top->l_wvalid_i = top->l_wready_i = 0;
  }
  void l_b() {
    top->l_bvalid_i = top->l_bready_i = 1;
    clock();
    top->l_bvalid_i = top->l_bready_i = 0;
  }
};

bool complains(const std::function<void(Bench &)> &sequence) {
  Bench bench;
  sequence(bench);
  bench.clock();
  return bench.ctx->gotError();
}

void legal(void **) {
  assert_false(complains([](Bench &x) {
    x.ar(1, 0xffc, 0);
    x.ar(2, 0x100, 3);
    x.ar(1, 0x104, 0);
    x.r(2, false);
    x.r(1, true);
    x.r(2, false);
    x.r(2, false);
    x.r(1, true);
    x.r(2, true);
    x.w(true); // data before the address
    x.aw(7, 0x200, 0);
    x.b(7);
    x.aw(3, 0xff8, 1);
    x.aw(4, 0x0, 0);
    x.w(false);
    x.w(true);
    x.w(true);
    x.b(4);
    x.b(3);
    x.top->wvalid_i = 1; // waits, unchanged
    x.clock();
    x.clock();
    x.w(true);
    x.aw(3, 0x40, 0);
    x.b(3);
    x.l_ar(0x10);
    x.l_r();
    x.l_w();
    x.l_aw(0x20);
    x.l_b();
  }));
}

void unstable(void **) {
  assert_true(complains([](Bench &x) {
    x.top->arvalid_i = 1;
    x.clock();
    x.top->arvalid_i = 0;
    x.clock();
  }));
  assert_true(complains([](Bench &x) {
    x.top->awvalid_i = 1;
    x.clock();
    x.top->awaddr_i = 0x80;
    x.clock();
  }));
  assert_true(complains([](Bench &x) {
    x.top->wvalid_i = 1;
    x.clock();
    x.top->wdata_i = 5;
    x.clock();
  }));
  assert_true(complains([](Bench &x) {
    x.ar(1, 0, 0);
    x.top->rvalid_i = 1;
    x.top->rid_i = 1;
    x.top->rlast_i = 1;
    x.clock();
    x.top->rresp_i = 2;
    x.clock();
  }));
  assert_true(complains([](Bench &x) {
    x.aw(1, 0, 0);
    x.w(true);
    x.top->bvalid_i = 1;
    x.top->bid_i = 1;
    x.clock();
    x.top->bvalid_i = 0;
    x.clock();
  }));
  assert_true(complains([](Bench &x) {
    x.top->l_wvalid_i = 1;
    x.clock();
    x.top->l_wstrb_i = 1;
    x.clock();
  }));
  assert_true(complains([](Bench &x) {
    x.top->l_arvalid_i = 1;
    x.clock();
    x.top->l_araddr_i = 4;
    x.clock();
  }));
}

void bursts(void **) {
  assert_true(complains([](Bench &x) { x.ar(1, 0xffc, 1); }));  // crosses 4 KB
  assert_true(complains([](Bench &x) { x.aw(1, 0xf00, 64); })); // crosses 4 KB
  assert_true(complains([](Bench &x) {                          // wider than the bus
    x.top->arsize_i = 3;
    x.ar(1, 0, 0);
  }));
  assert_true(complains([](Bench &x) { // FIXED
    x.top->awburst_i = 0;
    x.aw(1, 0, 0);
  }));
  assert_true(complains([](Bench &x) { // WLAST missing
    x.aw(1, 0, 0);
    x.w(false);
  }));
  assert_true(complains([](Bench &x) { // WLAST too early, data first
    x.w(true);
    x.aw(1, 0, 1);
  }));
  assert_true(complains([](Bench &x) { // RLAST too early
    x.ar(1, 0, 1);
    x.r(1, true);
  }));
}

void responses(void **) {
  assert_true(complains([](Bench &x) { x.r(1, true); }));
  assert_true(complains([](Bench &x) { x.ar(2, 0, 0), x.r(1, true); }));
  assert_true(complains([](Bench &x) { x.ar(2, 0, 0), x.r(2, true), x.r(2, true); }));
  assert_true(complains([](Bench &x) { x.b(1); }));
  assert_true(complains([](Bench &x) { x.aw(1, 0, 0), x.b(1); })); // no data yet
  assert_true(complains([](Bench &x) { x.w(true), x.b(1); }));     // no address yet
  assert_true(complains([](Bench &x) { x.aw(1, 0, 0), x.w(true), x.b(2); }));
  assert_true(complains([](Bench &x) { x.ar(1, 0, 0), x.ar(1, 0, 0), x.ar(1, 0, 0); })); // too many
  assert_true(complains([](Bench &x) { x.aw(1, 0, 0), x.aw(1, 0, 0), x.aw(1, 0, 0); }));
  assert_true(complains([](Bench &x) { x.l_r(); }));
  assert_true(complains([](Bench &x) { x.l_aw(0), x.l_b(); }));
  assert_true(complains([](Bench &x) { x.l_w(), x.l_b(); }));
  assert_true(complains([](Bench &x) { x.l_ar(0), x.l_ar(0), x.l_ar(0); }));
  assert_true(complains([](Bench &x) { x.l_ar(2); }));
  assert_true(complains([](Bench &x) { x.l_aw(1); }));
}

void in_reset(void **) {
  assert_true(complains([](Bench &x) {
    x.top->rst_ni = 0;
    x.clock();
    x.top->awvalid_i = 1;
    x.clock();
  }));
  // A reset forgets what was under way.
  assert_true(complains([](Bench &x) {
    x.ar(1, 0, 0);
    x.top->rst_ni = 0;
    x.clock();
    x.clock();
    x.top->rst_ni = 1;
    x.clock();
    x.r(1, true);
  }));
}

} // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(legal), cmocka_unit_test(unstable),
                              cmocka_unit_test(bursts), cmocka_unit_test(responses),
                              cmocka_unit_test(in_reset)};
  return cmocka_run_group_tests_name("axi_assert", tests, nullptr, nullptr);
}
