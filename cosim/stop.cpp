// What the run-time of Verilator does when a design calls $fatal, $stop (also after $error) or
// $finish: an exception, which the machine turns into an error and which ends a test bench with its
// message.

#include <stdexcept>
#include <string>

#include "verilated.h"

void vl_fatal(const char *file, int line, const char *, const char *msg) {
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": RTL: " + msg);
}

void vl_stop(const char *file, int line, const char *hier) {
  vl_fatal(file, line, hier, "assertion failed (the message is above)");
}

void vl_finish(const char *file, int line, const char *hier) {
  vl_fatal(file, line, hier, "unexpected $finish");
}
