#include <tasuki/detail/coll/shape.hpp>

#include <fmt/format.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace tasuki::coll {
namespace {

using Counts = std::vector<std::size_t>;

/// No buffer has so many elements.
constexpr std::size_t beyond_all = std::numeric_limits<std::size_t>::max();

/// At most `beyond_all`.
std::size_t saturated_sum(std::size_t a, std::size_t b) {
  return a > beyond_all - b ? beyond_all : a + b;
}

std::size_t sum(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0}, saturated_sum);
}

/// Elements up to the end of the last block.
std::size_t extent(const Counts& counts, const Counts& displacements) {
  if (displacements.empty()) return sum(counts);
  std::size_t end = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != 0) end = std::max(end, saturated_sum(displacements[i], counts[i]));
  }
  return end;
}

[[noreturn]] void refuse(Collective collective, const std::string& happened,
                         const std::string& remedy) {
  throw error(name_of(collective), happened, remedy);
}

void check_counts(Collective collective, const char* side, int ranks, const Counts& counts,
                  const Counts& displacements) {
  const auto wanted = static_cast<std::size_t>(ranks);
  if (counts.size() != wanted) {
    refuse(collective, fmt::format("{} {} counts for {} ranks", counts.size(), side, ranks),
           "give one count per rank");
  }
  if (!displacements.empty() && displacements.size() != wanted) {
    refuse(collective,
           fmt::format("{} {} displacements for {} ranks", displacements.size(), side, ranks),
           "give one displacement per rank, or none for blocks one after the other");
  }
  if (extent(counts, displacements) == beyond_all) {
    refuse(collective, fmt::format("the {} blocks end beyond all memory", side),
           "look for a negative number among the counts and displacements");
  }
}

BufferContents contents_of(Collective collective, const Shape& shape) {
  return coll::contents_of(collective, shape.rank == shape.root);
}

bool needs_send_counts(Collective collective, const Shape& shape) {
  return varies(collective) && !reduces(collective) &&
         contents_of(collective, shape).input == Holds::all;
}

bool needs_receive_counts(Collective collective, const Shape& shape) {
  return varies(collective) &&
         (reduces(collective) || contents_of(collective, shape).output == Holds::all);
}

/// The elements of a buffer whose blocks of all ranks, if it holds them, have `all_count`.
std::size_t count_of(Holds contents, Collective collective, const Shape& shape,
                     std::size_t all_count) {
  if (contents == Holds::nothing) return 0;
  if (contents == Holds::all) return all_count;
  const bool counts_are_common = varies(collective) && has_common_count(collective);
  return counts_are_common ? shape.receive_counts[static_cast<std::size_t>(shape.rank)]
                           : shape.count;
}

/// What a rank sends itself is what it receives from itself.
void check_self_block(Collective collective, const Shape& shape) {
  const auto self = static_cast<std::size_t>(shape.rank);
  std::size_t sent = shape.count;
  std::size_t received = shape.count;
  if (needs_send_counts(collective, shape)) sent = shape.send_counts[self];
  if (needs_receive_counts(collective, shape)) received = shape.receive_counts[self];
  if (sent == received) return;
  refuse(collective,
         fmt::format("this rank sends itself {} elements, but receives {} from itself", sent,
                     received),
         "give what a rank sends to another as what that one receives from it");
}

}  // namespace

std::size_t input_count(Collective collective, const Shape& shape) {
  const std::size_t all_count = needs_send_counts(collective, shape)
                                    ? extent(shape.send_counts, shape.send_displacements)
                                    : total_receive_count(shape);
  return count_of(contents_of(collective, shape).input, collective, shape, all_count);
}

std::size_t output_count(Collective collective, const Shape& shape) {
  const std::size_t all_count = needs_receive_counts(collective, shape)
                                    ? extent(shape.receive_counts, shape.receive_displacements)
                                    : total_receive_count(shape);
  return count_of(contents_of(collective, shape).output, collective, shape, all_count);
}

std::size_t total_receive_count(const Shape& shape) {
  if (shape.receive_counts.empty()) return static_cast<std::size_t>(shape.ranks) * shape.count;
  return sum(shape.receive_counts);
}

std::size_t common_count(Collective collective, const Shape& shape) noexcept {
  if (!varies(collective)) return shape.count;
  const auto longest = std::ranges::max_element(shape.receive_counts);
  return longest == shape.receive_counts.end() ? 0 : *longest;
}

void check(Collective collective, const Shape& shape) {
  if (shape.ranks < 1 || shape.rank < 0 || shape.rank >= shape.ranks) {
    refuse(collective, fmt::format("rank {} of {} ranks", shape.rank, shape.ranks),
           "give a rank from 0 to ranks - 1");
  }
  if (has_root(collective) && (shape.root < 0 || shape.root >= shape.ranks)) {
    refuse(collective, fmt::format("root {} of a team of {} ranks", shape.root, shape.ranks),
           fmt::format("give a root from 0 to {}", shape.ranks - 1));
  }
  if (!varies(collective) && !(shape.send_counts.empty() && shape.receive_counts.empty())) {
    refuse(collective, "there are counts for its blocks, which are all of one size",
           "leave the counts out, or call the form with blocks of different sizes");
  }
  if (needs_send_counts(collective, shape)) {
    check_counts(collective, "send", shape.ranks, shape.send_counts, shape.send_displacements);
  }
  if (needs_receive_counts(collective, shape)) {
    check_counts(collective, "receive", shape.ranks, shape.receive_counts,
                 shape.receive_displacements);
  }
  if (!has_common_count(collective)) check_self_block(collective, shape);
  if (shape.in_place && !may_be_in_place(collective)) {
    refuse(collective, "there is no form of it in which the output buffer is the input",
           "give two buffers");
  }
}

}  // namespace tasuki::coll
