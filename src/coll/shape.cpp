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

bool needs_send_counts(Collective collective, bool is_root) {
  return (collective == Collective::scatterv && is_root) || collective == Collective::alltoallv;
}

bool needs_receive_counts(Collective collective, bool is_root) {
  return (collective == Collective::gatherv && is_root) || collective == Collective::allgatherv ||
         collective == Collective::alltoallv || collective == Collective::reduce_scatter;
}

/// What a rank sends itself is what it receives from itself.
void check_self_block(Collective collective, const Shape& shape) {
  const bool is_root = shape.rank == shape.root;
  const auto self = static_cast<std::size_t>(shape.rank);
  std::size_t sent = shape.count;
  std::size_t received = shape.count;
  if (needs_send_counts(collective, is_root)) sent = shape.send_counts[self];
  if (needs_receive_counts(collective, is_root)) received = shape.receive_counts[self];
  if (sent == received) return;
  refuse(collective,
         fmt::format("this rank sends itself {} elements, but receives {} from itself", sent,
                     received),
         "give what a rank sends to another as what that one receives from it");
}

bool may_be_in_place(Collective collective) {
  return collective == Collective::reduce || collective == Collective::allreduce ||
         collective == Collective::scan || collective == Collective::exscan;
}

}  // namespace

std::size_t input_count(Collective collective, const Shape& shape) {
  const bool is_root = shape.rank == shape.root;
  const std::size_t all = static_cast<std::size_t>(shape.ranks) * shape.count;
  switch (collective) {
    case Collective::barrier:
    case Collective::broadcast:
      return 0;
    case Collective::scatter:
      return is_root ? all : 0;
    case Collective::scatterv:
      return is_root ? extent(shape.send_counts, shape.send_displacements) : 0;
    case Collective::alltoall:
    case Collective::reduce_scatter_block:
      return all;
    case Collective::alltoallv:
      return extent(shape.send_counts, shape.send_displacements);
    case Collective::reduce_scatter:
      return total_receive_count(shape);
    case Collective::allgatherv:
      return shape.receive_counts[static_cast<std::size_t>(shape.rank)];
    default:
      return shape.count;
  }
}

std::size_t output_count(Collective collective, const Shape& shape) {
  const bool is_root = shape.rank == shape.root;
  const std::size_t all = static_cast<std::size_t>(shape.ranks) * shape.count;
  switch (collective) {
    case Collective::barrier:
      return 0;
    case Collective::reduce:
      return is_root ? shape.count : 0;
    case Collective::gather:
      return is_root ? all : 0;
    case Collective::gatherv:
      return is_root ? extent(shape.receive_counts, shape.receive_displacements) : 0;
    case Collective::allgather:
    case Collective::alltoall:
      return all;
    case Collective::allgatherv:
    case Collective::alltoallv:
      return extent(shape.receive_counts, shape.receive_displacements);
    case Collective::reduce_scatter:
      return shape.receive_counts[static_cast<std::size_t>(shape.rank)];
    default:
      return shape.count;
  }
}

std::size_t total_receive_count(const Shape& shape) {
  if (shape.receive_counts.empty()) return static_cast<std::size_t>(shape.ranks) * shape.count;
  return sum(shape.receive_counts);
}

std::optional<std::size_t> common_count(Collective collective, const Shape& shape) {
  if (!varies(collective)) return shape.count;
  if (collective != Collective::allgatherv && collective != Collective::reduce_scatter) return {};
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
  const bool is_root = shape.rank == shape.root;
  if (!varies(collective) && !(shape.send_counts.empty() && shape.receive_counts.empty())) {
    refuse(collective, "there are counts for its blocks, which are all of one size",
           "leave the counts out, or call the form with blocks of different sizes");
  }
  if (needs_send_counts(collective, is_root)) {
    check_counts(collective, "send", shape.ranks, shape.send_counts, shape.send_displacements);
  }
  if (needs_receive_counts(collective, is_root)) {
    check_counts(collective, "receive", shape.ranks, shape.receive_counts,
                 shape.receive_displacements);
  }
  if (collective == Collective::gatherv || collective == Collective::scatterv ||
      collective == Collective::alltoallv) {
    check_self_block(collective, shape);
  }
  if (shape.in_place && !may_be_in_place(collective)) {
    refuse(collective, "there is no form of it in which the output buffer is the input",
           "give two buffers");
  }
}

}  // namespace tasuki::coll
