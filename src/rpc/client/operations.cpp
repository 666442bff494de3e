#include "rpc/client/operations.hpp"

#include <tasuki/error.hpp>

namespace tasuki::rpc {

std::optional<std::int64_t> operations_of(const Routine& routine, const Integers& integers) {
  if (!routine.operations) return {};
  try {
    return routine.operations->evaluate(integers, "CalcOrder");
  } catch (const error&) {
    return {};  // An estimate is no reason for a call to fail.
  }
}

}  // namespace tasuki::rpc
