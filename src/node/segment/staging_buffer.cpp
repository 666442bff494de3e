#include "node/segment/staging_buffer.hpp"

#include <fmt/format.h>

#include <string>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/base/copy_bytes.hpp>
#include <tasuki/error.hpp>

namespace tasuki::node {
namespace {

/// A call of this rank, with its size and root where they are at hand.
std::string in_words(coll::Collective collective, const coll::Call* call) {
  std::string text = coll::name_of(collective);
  if (call == nullptr) return text;
  const coll::Shape& shape = call->shape;
  if (!coll::varies(collective)) {
    text += fmt::format(" of {} bytes", shape.count * shape.element_bytes);
  }
  if (coll::has_root(collective)) text += fmt::format(" with root {}", shape.root);
  return text;
}

}  // namespace

std::size_t StagingBuffer::bytes_for(int ranks) noexcept {
  return static_cast<std::size_t>(ranks) *
         (slots_count * sizeof(Line) + sizeof(Taken) + sizeof(std::uint64_t));
}

StagingBuffer::StagingBuffer(Host& host, const Members& members, std::byte* memory)
    : host_(host),
      members_(members),
      wait_(host, members.team),
      rank_(members.rank),
      ranks_(members.count()),
      lines_(reinterpret_cast<Line*>(memory)),
      taken_(reinterpret_cast<Taken*>(lines_ + slots_count * static_cast<std::size_t>(ranks_))),
      slots_addresses_(reinterpret_cast<std::uint64_t*>(taken_ + ranks_)),
      slots_(static_cast<std::size_t>(ranks_)),
      published_(static_cast<std::size_t>(ranks_)) {}

StagingBuffer::~StagingBuffer() = default;

inline void StagingBuffer::await_turn(const char* what) {
  const std::uint64_t mine = turns_begun_++;
  if (turns_ended_ == mine) return;
  const auto is_mine = [&] { return turns_ended_ == mine; };
  host_.wait_until(Condition(is_mine), {what, -1, members_.team});
}

StagingBuffer::Turn::Turn(StagingBuffer& buffer, std::uint64_t steps_count, CallTag tag,
                          const char* what, std::uint64_t lag)
    : buffer_(buffer), first_step_(buffer.next_step_) {
  TASUKI_DEBUG_ASSERT(lag <= most_lag);
  buffer.next_step_ += steps_count;
  buffer.await_turn(what);
  buffer.turn_first_step_ = first_step_;
  if (lag > usual_lag) buffer.lagging_until_step_ = first_step_ + steps_count;
  buffer.tag_ = tag;
  buffer.what_ = what;
  buffer.call_ = nullptr;
}

StagingBuffer::Turn::Turn(StagingBuffer& buffer, const char* what)
    : buffer_(buffer), first_step_(buffer.next_step_) {
  buffer.await_turn(what);
}

StagingBuffer::Line& StagingBuffer::line(int rank, std::uint64_t step) const noexcept {
  return lines_[static_cast<std::size_t>(rank) * slots_count + step % slots_count];
}

std::byte* StagingBuffer::slots(int rank) {
  std::byte*& known = slots_[static_cast<std::size_t>(rank)];
  if (known != nullptr) return known;
  std::uint64_t& address = slots_addresses_[rank];
  constexpr std::size_t bytes = slots_count * slot_bytes;
  if (rank == rank_) {
    known = static_cast<std::byte*>(host_.allocate(bytes, line_bytes));
    FlagWait::store(&address, reinterpret_cast<std::uint64_t>(known));
  } else {
    known = host_.peers().map(members_.world_rank(rank), FlagWait::load(&address), bytes);
    TASUKI_ASSERT(known != nullptr);
  }
  return known;
}

void StagingBuffer::wait_until_published(int rank, std::uint64_t step) {
  std::uint64_t& known = published_[static_cast<std::size_t>(rank)];
  if (known > step) return;
  const std::uint64_t* flag = &line(rank, step).published;
  wait_.until([=] { return FlagWait::load(flag) >> CallTag::bits > step; },
              members_.world_rank(rank), what_);
  known = step + 1;
  compare(rank, step, FlagWait::load(flag));
}

void StagingBuffer::compare(int rank, std::uint64_t step, std::uint64_t published) const {
  if (published >> CallTag::bits != step + 1) return;  // The line was reused for a later step.
  // This rank's own line is on its way to the others: to read it takes 40 ns.
  const bool is_own_turn = step >= turn_first_step_;
  const CallTag mine = is_own_turn ? tag_ : CallTag::in(line(rank_, step).published);
  const CallTag theirs = CallTag::in(published);
  if (theirs == mine) [[likely]] {
    return;
  }
  const bool is_other = theirs.collective() != mine.collective();
  const char* const same =
      coll::has_root(mine.collective()) ? "it with another size or root" : "it with another size";
  base::die(fmt::format(
      "collective on a team of {} ranks: rank {} calls {}, but rank {} calls {}. Remedy: all ranks "
      "of a team must call the same collectives, in the same order, with sizes that fit and the "
      "same root",
      ranks_, host_.traits().rank, in_words(mine.collective(), is_own_turn ? call_ : nullptr),
      members_.world_rank(rank), is_other ? coll::name_of(theirs.collective()) : same));
}

std::byte* StagingBuffer::open(std::uint64_t step, std::size_t bytes) {
  TASUKI_DEBUG_ASSERT(bytes <= slot_bytes);
  // The step that had this slot may belong to a turn whose reads lag.
  const std::uint64_t lag = step < lagging_until_step_ + slots_count ? most_lag : usual_lag;
  for (int rank = 0; step >= slots_count && rank < ranks_; ++rank) {
    if (rank == rank_ || published_[static_cast<std::size_t>(rank)] > step + lag - slots_count) {
      continue;
    }
    // Each read of another rank's line fetches it, so a rank with a core of its own waits for more
    // than it needs. Ranks that share cores would idle meanwhile. Steps up to step - 1 are
    // published here, so that nobody needs this rank to come to an earlier one.
    const bool has_core = host_.traits().may_spin;
    wait_until_published(rank, has_core ? step - steps_awaited_ahead : step + lag - slots_count);
  }
  if (bytes <= line_data_bytes) return line(rank_, step).data;
  return slots(rank_) + step % slots_count * slot_bytes;
}

void StagingBuffer::publish(std::uint64_t step) noexcept {
  FlagWait::store(&line(rank_, step).published, (step + 1) << CallTag::bits | tag_.value());
  for (int rank = 0; rank < ranks_; ++rank) {
    if (rank != rank_) host_.peers().notify(members_.world_rank(rank));
  }
}

void StagingBuffer::stage(std::uint64_t step, const std::byte* data, std::size_t bytes) {
  base::copy_bytes(open(step, bytes), data, bytes);
  publish(step);
}

void StagingBuffer::note_taken(std::uint64_t step, std::span<const int> givers) noexcept {
  FlagWait::store(&taken_[rank_].steps_count, step + 1);
  for (const int giver : givers) host_.peers().notify(members_.world_rank(giver));
}

void StagingBuffer::await_taken(int rank, std::uint64_t step) {
  const std::uint64_t* count = &taken_[rank].steps_count;
  wait_.until([=] { return FlagWait::load(count) > step; }, members_.world_rank(rank), what_);
}

const std::byte* StagingBuffer::await(int rank, std::uint64_t step, std::size_t bytes) {
  if (rank != rank_) wait_until_published(rank, step);
  if (bytes <= line_data_bytes) return line(rank, step).data;
  return slots(rank) + step % slots_count * slot_bytes;
}

}  // namespace tasuki::node
