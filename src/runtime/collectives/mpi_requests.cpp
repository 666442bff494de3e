#include "runtime/collectives/mpi_requests.hpp"

#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <tasuki/error.hpp>
#include <thread>

#include "runtime/collectives/collective_failure.hpp"
#include "runtime/recording/recorder.hpp"

namespace tasuki::runtime {
namespace {

// A poll of the MPI library takes as long as a switch to the poller and back or, where ranks
// share cores, as it takes them to have their turns. What the poller does then is several polls.
constexpr int polls_per_turn = 64;
constexpr int turns_before_suspending = 16;

void note_received(const UnfinishedRequest& request) {
  if (Recorder* const recorder = Recorder::current()) [[unlikely]]
    recorder->received(request.peer, request.bytes, "a message of a collective");
}

}  // namespace

bool MpiRequests::progress() {
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

bool MpiRequests::progress_for(const transport::Completion& own) {
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

void MpiRequests::poll_for(const transport::Completion& own, const Event& awaited) {
  for (int turn = turns_before_suspending; turn > 0; --turn) {
    for (int i = polls_per_turn; i > 0; --i) {
      if (awaited.has_happened() || empty()) return;
      if (progress_for(own)) continue;
      if (has_untold() || scheduler_.anything_ready()) break;
      if (yields_) std::this_thread::yield();
    }
    if (awaited.has_happened() || empty()) return;
    Waits::current().yield();
  }
}

transport::Completion* MpiRequests::take_complete() {
  if (count_ == 0) return nullptr;
  transport::Completion* found = take_complete_of(blocks_.begin());
  if (found != nullptr || blocks_.size() == 1) return found;
  if (turn_ == blocks_.end()) turn_ = std::next(blocks_.begin());
  found = take_complete_of(turn_);
  if (found == nullptr) ++turn_;
  return found;
}

transport::Completion* MpiRequests::take_complete_of(Blocks::iterator block) {
  const auto found = operations_->test_any(std::span(block->requests).first(block->count));
  if (found.index < 0) return nullptr;
  const Part part = take(block, static_cast<std::size_t>(found.index));
  const UnfinishedRequest& request = part.request;
  const bool is_receive = request.kind == UnfinishedRequest::Kind::receive;
  if (found.is_too_long || (is_receive && found.received_bytes != request.bytes)) {
    std::optional<std::size_t> arrived_bytes;
    if (!found.is_too_long) arrived_bytes = found.received_bytes;
    base::die(text_of({"a collective", is_receive ? request.peer : -1, arrived_bytes,
                       is_receive ? request.bytes : 0}));
  }
  if (is_receive) note_received(request);
  return part.completion;
}

MpiRequests::Part MpiRequests::take(Blocks::iterator block, std::size_t index) {
  const Part part = block->parts[index];
  --block->count;
  --count_;
  ++completed_count_;
  block->requests[index] = block->requests[block->count];
  block->parts[index] = block->parts[block->count];
  if (block->count == 0 && blocks_.size() > 1) {
    if (turn_ == block) ++turn_;
    spare_.clear();
    spare_.splice(spare_.begin(), blocks_, block);
  }
  return part;
}

UnfinishedRequests MpiRequests::describe() const {
  UnfinishedRequests described;
  described.collectives_begun_count = collectives_begun_count_;
  for (const Block& block : blocks_) {
    for (const Part& part : std::span(block.parts).first(block.count)) {
      if (described.listed.size() == UnfinishedRequests::listed_most) return described;
      const bool is_collective = part.request.kind == UnfinishedRequest::Kind::collective ||
                                 part.request.kind == UnfinishedRequest::Kind::partial_collective;
      if (is_collective || part.request.bytes >= UnfinishedRequests::listed_least_bytes) {
        described.listed.push_back(part.request);
      }
    }
  }
  return described;
}

void MpiRequests::add_block() {
  if (spare_.empty()) spare_.emplace_back();
  blocks_.splice(blocks_.end(), spare_, spare_.begin());
}

}  // namespace tasuki::runtime
