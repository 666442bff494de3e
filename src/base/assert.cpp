#include <tasuki/detail/base/assert.hpp>

#include <fmt/format.h>
#include <tasuki/error.hpp>

#include <cstdlib>

namespace tasuki::base {

void assertion_failed(const char* condition, const char* file, int line) noexcept {
  report(fmt::format("internal error: {}:{}: {} does not hold. Remedy: report this line as a bug.",
                     file, line, condition));
  std::abort();
}

}  // namespace tasuki::base
