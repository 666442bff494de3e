#include <tasuki/detail/coll/schedule_builder.hpp>

#include <tasuki/detail/base/assert.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace tasuki::coll {
namespace {

std::uint32_t end_of(std::size_t size) {
  TASUKI_ASSERT(size <= std::numeric_limits<std::uint32_t>::max());
  return static_cast<std::uint32_t>(size);
}

bool overlap(const Slice& slice, const Slice& other) {
  return slice.buffer == other.buffer && slice.offset < other.offset + other.count &&
         other.offset < slice.offset + slice.count;
}

Slice target_of(const LocalStep& copy) { return {copy.to, copy.to_offset, copy.count}; }

/// Where the content of `sent` comes from, if some copy has made all of it or none of it; else
/// nothing.
std::optional<Slice> origin_of(const Slice& sent, std::span<const LocalStep> copies) {
  for (const LocalStep& copy : copies) {
    if (!overlap(sent, target_of(copy))) continue;
    const bool is_whole =
        sent.offset >= copy.to_offset && sent.offset + sent.count <= copy.to_offset + copy.count;
    if (!is_whole) return std::nullopt;
    return Slice{copy.from, copy.from_offset + sent.offset - copy.to_offset, sent.count};
  }
  return sent;
}

}  // namespace

Slice ScheduleBuilder::scratch(std::size_t count) {
  const Slice room{Buffer::scratch, schedule_.scratch_count, count};
  schedule_.scratch_count += count;
  return room;
}

void ScheduleBuilder::send(int peer, Slice from) {
  if (from.count != 0) sends_.push_back({peer, 0, from});
}

void ScheduleBuilder::receive(int peer, Slice into) {
  TASUKI_ASSERT(into.buffer != Buffer::input || into.count == 0);
  if (into.count != 0) receives_.push_back({peer, 0, into});
}

void ScheduleBuilder::signal(int peer) { sends_.push_back({peer, 0, Slice{}}); }

void ScheduleBuilder::await_signal(int peer) {
  receives_.push_back({peer, 0, Slice{Buffer::output, 0, 0}});
}

void ScheduleBuilder::local(LocalKind kind, Slice from, Slice to) {
  TASUKI_ASSERT(from.count == to.count);
  TASUKI_ASSERT(to.buffer != Buffer::input || to.count == 0);
  if (from.count == 0) return;
  schedule_.locals.push_back({kind, from.buffer, to.buffer, from.offset, to.offset, from.count});
}

void ScheduleBuilder::next_round() {
  const std::size_t locals_begin =
      schedule_.rounds.empty() ? 0 : schedule_.rounds.back().locals_end;
  if (receives_.empty() && sends_.empty() && schedule_.locals.size() == locals_begin) return;
  auto& transfers = schedule_.transfers;
  transfers.insert(transfers.end(), receives_.begin(), receives_.end());
  const std::uint32_t receives_end = end_of(transfers.size());
  transfers.insert(transfers.end(), sends_.begin(), sends_.end());
  schedule_.rounds.push_back(
      {receives_end, end_of(transfers.size()), end_of(schedule_.locals.size())});
  receives_.clear();
  sends_.clear();
}

Schedule ScheduleBuilder::finish() {
  next_round();
  merge_first_copies();
  number_transfers();
  schedule_.rounds.shrink_to_fit();
  schedule_.transfers.shrink_to_fit();
  schedule_.locals.shrink_to_fit();
  return std::exchange(schedule_, {});
}

void ScheduleBuilder::merge_first_copies() {
  if (schedule_.rounds.size() < 2) return;
  const std::span<const LocalStep> copies = schedule_.round(0).locals;
  const RoundView second = schedule_.round(1);
  const bool only_copies = schedule_.rounds.front().transfers_end == 0 &&
                           std::ranges::all_of(copies, [](const LocalStep& step) {
                             return step.kind == LocalKind::copy && step.from == Buffer::input;
                           });
  if (!only_copies) return;
  for (const Transfer& receive : second.receives) {
    for (const LocalStep& copy : copies) {
      if (overlap(receive.slice, target_of(copy))) return;
    }
  }
  std::vector<Slice> origins;
  for (const Transfer& send : second.sends) {
    const std::optional<Slice> origin = origin_of(send.slice, copies);
    if (!origin.has_value()) return;
    origins.push_back(*origin);
  }
  Transfer* send = schedule_.transfers.data() + second.receives.size();
  for (const Slice& origin : origins) (send++)->slice = origin;
  // The copies come before the local steps of the second round, which now begins where they do.
  schedule_.rounds.erase(schedule_.rounds.begin());
}

void ScheduleBuilder::number_transfers() {
  // Sorting keeps this independent of the number of ranks, of which a schedule may meet few.
  using Key = std::tuple<bool, int, std::size_t>;  // Is a send, peer, index.
  std::vector<Key> keys;
  keys.reserve(schedule_.transfers.size());
  for (std::size_t index = 0; index < schedule_.rounds.size(); ++index) {
    const RoundView round = schedule_.round(index);
    for (const Transfer& transfer : round.receives) {
      keys.emplace_back(false, transfer.peer, keys.size());
    }
    for (const Transfer& transfer : round.sends) {
      keys.emplace_back(true, transfer.peer, keys.size());
    }
  }
  std::sort(keys.begin(), keys.end());
  std::uint32_t sequence = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto& [is_send, peer, index] = keys[i];
    const bool same_channel =
        i > 0 && std::get<0>(keys[i - 1]) == is_send && std::get<1>(keys[i - 1]) == peer;
    sequence = same_channel ? sequence + 1 : 0;
    schedule_.transfers[index].sequence = sequence;
  }
}

}  // namespace tasuki::coll
