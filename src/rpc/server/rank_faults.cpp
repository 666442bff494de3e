#include "rpc/server/rank_faults.hpp"

#include <fmt/format.h>

#include "rpc/wire/named_error.hpp"
#include "rpc/wire/shortened.hpp"

namespace tasuki::rpc {

LeaseFault lost_rank(const std::string& module, int rank, const std::optional<ProcessEnd>& end) {
  const std::string how = end ? fmt::format(", by {}", text_of(*end)) : std::string();
  return {fmt::format("call {} on rank {}", module, rank),
          fmt::format("the process has ended during the call{}", how), printed_remedy};
}

LeaseFault silent_rank(const std::string& module, int rank, double silence_s) {
  return {fmt::format("call {} on rank {}", module, rank),
          fmt::format("the rank has not answered for {} s: its process is stopped, or its machine"
                      " is too busy",
                      silence_s),
          "call again: the ranks are started anew; give the server a larger --rank-timeout"};
}

error failed_start(const std::string& module, const std::optional<ProcessEnd>& end,
                   const std::string& printed) {
  const std::string how = end ? fmt::format(", by {}", text_of(*end)) : std::string();
  const std::string last = printed.empty() ? printed : fmt::format("; it has printed: {}", printed);
  return {fmt::format("start module {}", module),
          fmt::format("its program has ended before all its ranks have joined{}{}", how,
                      shortened(last)),
          "check the program and the --launcher that starts it"};
}

void throw_fault(const LeaseFault& fault) {
  throw NamedError(fault.kind, fault.operation, fault.happened, fault.remedy);
}

std::string end_notice(const std::string& module, const char* reason) {
  return fmt::format("module {}: its ranks have to end: {}", module, reason);
}

}  // namespace tasuki::rpc
