#include "base/processor.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tasuki::base {

// The compiler's __builtin_cpu_is knows Zen 5 only from GCC 14 on.
Processor processor_here() noexcept {
#if defined(__x86_64__)
  unsigned int version = 0, other = 0;
  if (__builtin_cpu_is("amd") && __get_cpuid(1, &version, &other, &other, &other) != 0) {
    const unsigned int family = ((version >> 8U) & 0xfU) + ((version >> 20U) & 0xffU);
    if (family == 26) return Processor::amd_family_26;
  }
#endif
  return Processor::other;
}

}  // namespace tasuki::base
