// What the run-time of the benches does when a design stops: a bench that expects a violation sees
// it in its context, any other ends here.
#include <cstdio>
#include <cstdlib>

#include "verilated.h"

void vl_fatal(const char *file, int line, const char *, const char *message) {
  VerilatedContext *context = Verilated::threadContextp();
  context->gotError(true);
  context->gotFinish(true);
  if (!context->fatalOnError()) return;
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s\n", file, line, message);
  std::abort();
}

void vl_stop(const char *file, int line, const char *hier) {
  vl_fatal(file, line, hier, "assertion failed (the message is above)");
}

void vl_finish(const char *file, int line, const char *hier) {
  vl_fatal(file, line, hier, "unexpected $finish");
}
