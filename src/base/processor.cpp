#include "base/processor.hpp"

namespace tasuki::base {

Processor processor_here() noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_is("amd")) return Processor::amd;
#endif
  return Processor::other;
}

}  // namespace tasuki::base
