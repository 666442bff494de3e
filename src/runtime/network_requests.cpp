#include "runtime/network_requests.hpp"

#include <iterator>
#include <optional>
#include <span>
#include <tasuki/base/error.hpp>

#include "runtime/length_mismatch.hpp"

namespace tasuki::runtime {

// Whoever is told may wait, and others come here meanwhile: after that nothing known before holds.
bool NetworkRequests::progress() {
  bool did_something = false;
  while (count_ != 0) {
    bool was_one = look_at(blocks_.begin());
    if (!was_one && blocks_.size() > 1) {
      if (turn_ == blocks_.end()) turn_ = std::next(blocks_.begin());
      was_one = look_at(turn_);
      if (!was_one) ++turn_;
    }
    if (!was_one) break;
    did_something = true;
  }
  return did_something;
}

bool NetworkRequests::look_at(Blocks::iterator block) {
  const auto found = operations_->test_any(std::span(block->requests).first(block->count));
  if (found.index < 0) return false;
  const Part part = take(block, static_cast<std::size_t>(found.index));
  const bool is_receive = part.expected_bytes != any_bytes;
  if (found.is_too_long || (is_receive && found.received_bytes != part.expected_bytes)) {
    std::optional<std::size_t> arrived_bytes;
    if (!found.is_too_long) arrived_bytes = found.received_bytes;
    base::die(text_of({"a collective", part.source, arrived_bytes, part.expected_bytes}));
  }
  part.completion->done(part.completion);
  return true;
}

NetworkRequests::Part NetworkRequests::take(Blocks::iterator block, std::size_t index) {
  const Part part = block->parts[index];
  --block->count;
  --count_;
  block->requests[index] = block->requests[block->count];
  block->parts[index] = block->parts[block->count];
  if (block->count == 0 && blocks_.size() > 1) {
    if (turn_ == block) ++turn_;
    spare_.clear();
    spare_.splice(spare_.begin(), blocks_, block);
  }
  return part;
}

void NetworkRequests::add_block() {
  if (spare_.empty()) spare_.emplace_back();
  blocks_.splice(blocks_.end(), spare_, spare_.begin());
}

}  // namespace tasuki::runtime
