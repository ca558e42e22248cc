// A bench around one verilated engine that has the common engine ports: payloads in, posts and
// traps out, FIFOs of sticks.
//
// Each cycle: inputs are set while the clock is low, the model settles, handshakes are sampled, the
// clock rises.
#pragma once
#include <verilated.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <vector>

#include "stp_arch.h"
#include "stp_isa.h"

struct Stick {
  uint32_t w[32];
  bool operator==(const Stick &o) const { return std::memcmp(w, o.w, sizeof w) == 0; }
};

struct Payload {
  uint64_t insn, a, b;
  unsigned pc;
};

struct Post {
  unsigned id;
  size_t outs;   // sticks that had left the engine before it
  size_t ins[2]; // sticks that had been taken from each input FIFO
};

// How likely (in percent) an input is offered, or an output accepted, in a cycle.
struct Rates {
  unsigned payload = 100, in = 100, out = 100, post = 100;
};

// Arguments such as +verilator+seed+2 must be known before the model exists.
struct BenchContext {
  VerilatedContext ctx;
  BenchContext(int argc, char **argv) { ctx.commandArgs(argc, argv); }
};

template <class Model> struct EngineBench : BenchContext {
  Model top{&ctx};
  std::mt19937 rng{1};
  Rates rates;
  uint64_t cycle = 0;
  std::deque<Payload> payloads;
  std::deque<Stick> in[2];
  std::vector<Stick> out;
  std::vector<uint64_t> out_cycle;
  std::vector<Post> posts;
  size_t taken[2] = {0, 0};
  uint64_t takes = 0, macs = 0;

  EngineBench(int argc, char **argv) : BenchContext(argc, argv) {
    top.clk_i = 0;
    top.rst_ni = 0;
    top.clear_i = 0;
    top.halt_i = 0;
    top.pl_valid_i = 0;
    top.post_ready_i = 0;
    top.out_ready_i = 0;
    top.eval();
    for (int i = 0; i < 4; i++) edge();
    top.rst_ni = 1;
    edge();
  }
  ~EngineBench() { top.final(); }

  bool chance(unsigned percent) { return percent >= 100 || rng() % 100 < percent; }

  void edge() {
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
    cycle++;
  }

  // Input FIFO number n: sets valid and data, tells whether a stick is offered.
  bool hold[2] = {false, false};
  template <class Data> bool offer(int n, CData &valid, Data &data) {
    bool v = !in[n].empty() && (hold[n] || chance(rates.in));
    valid = v;
    if (v) std::memcpy(data.data(), in[n].front().w, sizeof(Stick));
    return v;
  }
  void accepted(int n, bool fire, bool offered) {
    hold[n] = offered && !fire;
    if (fire) {
      in[n].pop_front();
      taken[n]++;
    }
  }

  // One cycle. `inputs` sets the ports of the input FIFOs and `fires` samples them.
  bool hold_payload = false;
  void step() {
    bool offered[2];
    set_inputs(offered);
    bool pv = !payloads.empty() && (hold_payload || chance(rates.payload));
    top.pl_valid_i = pv;
    if (pv) {
      const Payload &p = payloads.front();
      top.pl_insn_i = p.insn;
      top.pl_a_i = p.a;
      top.pl_b_i = p.b;
      top.pl_pc_i = p.pc;
    }
    top.out_ready_i = chance(rates.out);
    top.post_ready_i = chance(rates.post);
    top.eval();
    bool pl_fire = pv && top.pl_ready_o;
    bool out_fire = top.out_valid_o && top.out_ready_i;
    bool post_fire = top.post_valid_o && top.post_ready_i;
    bool fire[2];
    sample_fires(fire, offered);
    Stick s;
    if (out_fire) std::memcpy(s.w, top.out_data_o.data(), sizeof s);
    unsigned id = top.post_id_o;
    if (post_fire) posts.push_back({id, out.size(), {taken[0], taken[1]}});
    sample_events();
    edge();
    hold_payload = pv && !pl_fire;
    if (pl_fire) {
      payloads.pop_front();
      takes++;
    }
    for (int n = 0; n < 2; n++) accepted(n, fire[n], offered[n]);
    if (out_fire) {
      out.push_back(s);
      out_cycle.push_back(cycle - 1);
    }
  }
  void run(uint64_t cycles) {
    while (cycles-- != 0) step();
  }
  // Runs until everything queued is taken and the engine is idle, or trapped. False: not within
  // limit cycles.
  bool drain(uint64_t limit) {
    for (; limit != 0; limit--) {
      step();
      if (top.trap_valid_o) return true;
      if (payloads.empty() && top.idle_o) return true;
    }
    return false;
  }
  void clear() {
    top.clear_i = 1;
    top.pl_valid_i = 0;
    edge();
    top.clear_i = 0;
    payloads.clear();
    hold_payload = false;
    for (int n = 0; n < 2; n++) {
      in[n].clear();
      hold[n] = false;
      taken[n] = 0;
    }
    out.clear();
    out_cycle.clear();
    posts.clear();
    takes = macs = 0;
  }

  void set_inputs(bool offered[2]);
  void sample_fires(bool fire[2], const bool offered[2]);
  void sample_events();
};
