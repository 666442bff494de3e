#include "runtime/network_requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tasuki/base/assert.hpp>
#include <tasuki/base/error.hpp>

namespace tasuki::runtime {

bool NetworkRequests::progress() {
  bool did_something = false;
  while (!requests_.empty()) {
    constexpr std::size_t most = transport::NetworkOperations::tested_most;
    if (next_ >= requests_.size()) next_ = 0;
    const std::span looked_at(requests_.data() + next_, std::min(most, requests_.size() - next_));
    std::size_t received_bytes = 0;
    const int found = operations_->test_any(looked_at, received_bytes);
    if (found < 0) {
      next_ += looked_at.size();
      break;
    }
    did_something = true;
    const std::size_t index = next_ + static_cast<std::size_t>(found);
    const Part part = parts_[index];
    requests_[index] = requests_.back();
    requests_.pop_back();
    parts_[index] = parts_.back();
    parts_.pop_back();
    if (part.expected_bytes != any_bytes && received_bytes != part.expected_bytes) {
      base::die(fmt::format(
          "a collective: rank {} sent {} bytes where {} are expected. Remedy: all ranks of a team "
          "must call the same collectives, in the same order, with sizes that fit",
          part.source, received_bytes, part.expected_bytes));
    }
    part.completion->done(part.completion);
  }
  return did_something;
}

}  // namespace tasuki::runtime
