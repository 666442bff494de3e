#include "runtime/network_requests.hpp"

#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <tasuki/base/error.hpp>

#include "runtime/length_mismatch.hpp"

namespace tasuki::runtime {

bool NetworkRequests::progress() {
  bool did_something = false;
  while (!empty()) {
    transport::Completion* told = nullptr;
    if (has_untold()) {
      told = untold_.front();
      untold_.pop_front();
    } else {
      told = take_complete();
    }
    if (told == nullptr) break;
    did_something = true;
    const std::uint64_t switch_count = scheduler_.switch_count();
    told->done(told);
    // It has waited: another fiber is the poller now.
    if (scheduler_.switch_count() != switch_count) break;
  }
  return did_something;
}

bool NetworkRequests::progress_for(const transport::Completion& own) {
  bool did_something = false;
  while (count_ != 0) {
    transport::Completion* const found = take_complete();
    if (found == nullptr) break;
    did_something = true;
    if (found == &own) {
      found->done(found);
    } else {
      untold_.push_back(found);
    }
  }
  return did_something;
}

transport::Completion* NetworkRequests::take_complete() {
  if (count_ == 0) return nullptr;
  transport::Completion* found = take_complete_of(blocks_.begin());
  if (found != nullptr || blocks_.size() == 1) return found;
  if (turn_ == blocks_.end()) turn_ = std::next(blocks_.begin());
  found = take_complete_of(turn_);
  if (found == nullptr) ++turn_;
  return found;
}

transport::Completion* NetworkRequests::take_complete_of(Blocks::iterator block) {
  const auto found = operations_->test_any(std::span(block->requests).first(block->count));
  if (found.index < 0) return nullptr;
  const Part part = take(block, static_cast<std::size_t>(found.index));
  const bool is_receive = part.expected_bytes != any_bytes;
  if (found.is_too_long || (is_receive && found.received_bytes != part.expected_bytes)) {
    std::optional<std::size_t> arrived_bytes;
    if (!found.is_too_long) arrived_bytes = found.received_bytes;
    base::die(text_of({"a collective", part.source, arrived_bytes, part.expected_bytes}));
  }
  return part.completion;
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
