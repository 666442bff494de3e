// What has happened, for tests of errors.
#pragma once

#include <string>
#include <tasuki/error.hpp>

namespace tasuki::rpc {

/// Returns: what the error that `work` throws says of what has happened; "" if it throws none.
template <class Work>
std::string happened_in(Work work) {
  try {
    work();
  } catch (const error& fault) {
    return fault.happened();
  }
  return {};
}

}  // namespace tasuki::rpc
