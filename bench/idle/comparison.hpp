// What idle work adds to a call of rank 1, or saves of it: the call both ways, in turn, and the
// difference in pairs of samples.
//
// Used by bench_idle. Collective. Thread-safety: the rank's own thread.
#pragma once

#include <functional>
#include <string>
#include <tasuki/detail/predict/mode.hpp>

namespace tasuki::bench {

/// Idle work in each mode, on each rank, as long as it lives.
class IdleWorks {
 public:
  IdleWorks();
  ~IdleWorks();
  IdleWorks(const IdleWorks&) = delete;
  IdleWorks& operator=(const IdleWorks&) = delete;
};

/// The calling rank uses the idle work of this mode from here on. Requires: there are IdleWorks.
void use(predict::Mode mode);

struct Comparison {
  std::string name;
  predict::Mode mode_with;
  predict::Mode mode_without;
  std::function<void()> call_with;
  std::function<void()> call_without;
};

void print_heading();
/// Prints a line. Requires: there are IdleWorks.
void compare(const Comparison& comparison);

}  // namespace tasuki::bench
