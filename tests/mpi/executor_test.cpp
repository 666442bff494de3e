// Every algorithm that messages carry, over MPI point-to-point, against the collectives of the MPI
// library: operators that commute and that do not, blocks of one size and of different ones, in
// place and not. A plain MPI program: each rank ends with 1 if something was wrong there.
#include <fmt/format.h>
#include <tasuki/detail/coll/reduction.hpp>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/error.hpp>
#include <tasuki/mpi_executor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "library.hpp"

namespace tasuki::test {
namespace {

using coll::AlgorithmDescriptor;
using coll::Collective;
using coll::Shape;

struct Operation {
  coll::ReduceOp own;
  bool is_commutative;
  MPI_Op library;
  const char* name;
};

/// Where the input lies.
enum class Place {
  apart,
  same,        ///< In the output: shape.in_place.
  self_block,  ///< The rank's self block is where it is to be in the end.
};

bool has_place(Collective collective, Place place) {
  switch (collective) {
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
      return place != Place::self_block;
    case Collective::gather:
    case Collective::gatherv:
    case Collective::scatter:
    case Collective::scatterv:
    case Collective::allgather:
    case Collective::allgatherv:
      return place != Place::same;
    default:
      return place == Place::apart;
  }
}

/// Blocks of different sizes, some empty.
Shape shape_of(Collective collective, int rank, int ranks, std::size_t count) {
  Shape shape;
  shape.rank = rank;
  shape.ranks = ranks;
  shape.root = ranks / 2;
  shape.element_bytes = sizeof(std::uint64_t);
  shape.count = count;
  if (!coll::varies(collective)) return shape;
  const auto block = [&](int from, int to) -> std::size_t {
    const auto mixed = static_cast<std::size_t>(from) * 2 + static_cast<std::size_t>(to);
    return mixed % 3 == 1 ? 0 : count + mixed;
  };
  const bool differs = collective == Collective::alltoallv;  // Also between the senders.
  for (int other = 0; other < ranks; ++other) {
    shape.send_counts.push_back(block(differs ? rank : 0, other));
    shape.receive_counts.push_back(block(differs ? other : 0, differs ? rank : other));
  }
  shape.count = shape.receive_counts[static_cast<std::size_t>(rank)];
  return shape;
}

/// What goes in, what lies in the output before, and what the library makes of it.
struct Example {
  Collective collective;
  Place place;
  const Operation& operation;
  Shape shape;
  Words input, before, expected;

  Example(Collective called, Place where, const Operation& op, const Shape& given)
      : collective(called),
        place(where),
        operation(op),
        shape(given),
        input(input_count(collective, shape)),
        before(output_count(collective, shape), 77) {
    const auto self = static_cast<std::uint64_t>(shape.rank);
    std::iota(input.begin(), input.end(), self * 100'003U + (self << 33U));
    if (collective == Collective::broadcast) {
      std::iota(before.begin(), before.end(), self * 7U);
    }
    shape.in_place = place == Place::same;
    shape.commutative = op.is_commutative;
    if (shape.in_place) before = input;
    expected = before;
    run_library(collective, shape, op.library, input, expected);
  }

  bool is_root() const { return shape.rank == shape.root; }
  bool scatters() const {
    return collective == Collective::scatter || collective == Collective::scatterv;
  }
  /// Elements before the rank's self block, in what all blocks lie in.
  std::size_t own_offset() const {
    const auto self = static_cast<std::size_t>(shape.rank);
    if (!coll::varies(collective)) return self * shape.count;
    const auto& counts = scatters() ? shape.send_counts : shape.receive_counts;
    return std::accumulate(counts.begin(), counts.begin() + shape.rank, std::size_t{0});
  }
};

/// Runs it once. Returns: is the output what is expected, and was the input left alone?
bool is_right(mpi::Executor& executor, const AlgorithmDescriptor& algorithm,
              const Example& example) {
  Words output = example.before;
  Words input = example.input;
  const std::uint64_t* from = input.data();
  std::uint64_t* to = output.data();
  if (example.place == Place::same) from = output.data();
  if (example.place == Place::self_block && example.scatters() && example.is_root()) {
    to = input.data() + example.own_offset();
  } else if (example.place == Place::self_block && !output.empty() && !example.scatters()) {
    std::copy(input.begin(), input.end(), to + example.own_offset());
    from = to + example.own_offset();
  }
  executor.run(algorithm, complete(algorithm, {}), example.shape, from, to,
               coll::reduces(example.collective) ? &example.operation.own : nullptr);
  const bool is_in_input = to != output.data();
  return input == example.input && (is_in_input || output == example.expected);
}

std::string check(mpi::Executor& executor, const AlgorithmDescriptor& algorithm,
                  const Example& example) {
  for (int repeated = 0; repeated < 2; ++repeated) {  // made, then found again
    if (is_right(executor, algorithm, example)) continue;
    return fmt::format(
        "rank {}: {} {} of {} elements, operator {}, place {}: something else than MPI gives",
        executor.rank(), coll::name_of(algorithm.collective), algorithm.name, example.shape.count,
        example.operation.name, static_cast<int>(example.place));
  }
  return {};
}

struct Found {
  int wrong_count = 0;
  int checked_count = 0;
  int exchanging_count = 0;  ///< Of those that exchange sizes first.
};

void check_all(mpi::Executor& executor, const Example& example, Found& found) {
  for (const auto* algorithm : coll::algorithms_of(example.collective)) {
    if (algorithm->medium() != coll::Medium::messages) continue;
    const auto parameters = complete(*algorithm, {});
    if (!not_usable_because(*algorithm, example.shape, parameters).empty()) continue;
    ++found.checked_count;
    if (algorithm->exchanges_sizes()) ++found.exchanging_count;
    const std::string wrong = check(executor, *algorithm, example);
    if (wrong.empty()) continue;
    ++found.wrong_count;
    std::fprintf(stderr, "%s\n", wrong.c_str());
  }
}

Found check_everything(mpi::Executor& executor) {
  const Operation operations[] = {
      {coll::reduce_op<std::uint64_t>(tasuki::Sum{}), true, MPI_SUM, "sum"},
      {coll::reduce_op<std::uint64_t>(Composition{}), false, composition(), "composition"}};
  Found found;
  for (const Collective collective : coll::all_collectives()) {
    for (const Place place : {Place::apart, Place::same, Place::self_block}) {
      if (!has_place(collective, place)) continue;
      for (const Operation& operation : operations) {
        if (&operation != operations && !coll::reduces(collective)) continue;
        const bool is_usual = place == Place::apart && &operation == operations;
        for (const std::size_t count : {9U, 2500U, 0U, 1U}) {
          if (!is_usual && count < 9) break;
          const Shape shape = shape_of(collective, executor.rank(), executor.size(), count);
          check_all(executor, Example(collective, place, operation, shape), found);
        }
      }
    }
  }
  return found;
}

/// An operator that does not commute is not given to an algorithm that needs one that does.
bool refuses_to_commute(mpi::Executor& executor) {
  const auto op = coll::reduce_op<std::uint64_t>(Composition{});
  const auto& ring = coll::algorithm_named(Collective::allreduce, "ring");
  Words words(64), sums(64);
  Shape shape;
  shape.element_bytes = sizeof(std::uint64_t);
  shape.count = words.size();
  try {
    executor.run(ring, complete(ring, {}), shape, words.data(), sums.data(), &op);
  } catch (const error&) {
    return true;
  }
  return false;
}

/// Polls, and keeps what it is told.
class Counting final : public coll::MessageWaiter {
 public:
  std::size_t posted(int, std::span<const std::byte>) override {
    is_open_.push_back(true);
    return is_open_.size() - 1;
  }
  void arrived(std::size_t number) noexcept override { is_open_.at(number) = false; }
  void until(const std::function<bool()>& poll) override {
    while (!poll()) std::this_thread::yield();
  }

  bool has_waited(int ranks) const {
    return std::find(is_open_.begin(), is_open_.end(), true) == is_open_.end() &&
           is_open_.empty() == (ranks == 1);
  }

 private:
  std::vector<bool> is_open_;
};

/// Messages of as many bytes as this are a tenth of the longest of the test: some have one piece,
/// some have several and a rest.
constexpr int short_piece = 2000;

int test() {
  mpi::Executor executor(MPI_COMM_WORLD);
  Counting waiter;
  mpi::Executor other(MPI_COMM_WORLD, short_piece);
  other.set_waiter(waiter);
  Found found = check_everything(executor);
  found.wrong_count += check_everything(other).wrong_count;
  if (executor.rank() == 0) {
    std::printf("%d checked, %d of them exchange sizes first\n", found.checked_count,
                found.exchanging_count);
  }
  const bool refuses = refuses_to_commute(executor);
  if (!refuses) std::fprintf(stderr, "rank %d: not refused\n", executor.rank());
  if (!waiter.has_waited(executor.size())) {
    std::fprintf(stderr, "rank %d: the waiter was told wrong\n", executor.rank());
    ++found.wrong_count;
  }
  return found.wrong_count == 0 && found.checked_count > 200 && found.exchanging_count > 0 &&
                 refuses
             ? 0
             : 1;
}

}  // namespace
}  // namespace tasuki::test

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int exit_code = 1;
  try {
    exit_code = tasuki::test::test();
  } catch (const tasuki::error& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
  }
  MPI_Finalize();
  return exit_code;
}
