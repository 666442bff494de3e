#include <tasuki/tasuki.hpp>
#include <vector>

#include "common/mixed.hpp"
#include "kernels.hpp"

namespace tasuki::bench::kernels {
namespace {

/// Of each rank. Darts are thrown at twice as many places until each has one of its own, as in
/// bale's randperm: the order of the places is a random permutation of the darts.
struct Wall {
  std::vector<std::int64_t> places;  ///< -1: free.
  std::uint64_t throws_count = 0;
};
Wall wall;

void throw_dart(std::int64_t dart);

void hit(std::size_t place, std::int64_t dart) {
  if (wall.places[place] >= 0) return throw_dart(dart);
  wall.places[place] = dart;
}

void throw_dart(std::int64_t dart) {
  constexpr unsigned bits = 40;
  const auto ranks = static_cast<std::uint64_t>(size());
  const auto seed = static_cast<std::uint64_t>(rank() + 1) << bits | ++wall.throws_count;
  const std::uint64_t place = apps::mixed(seed) % (ranks * wall.places.size());
  post(static_cast<int>(place % ranks), hit, place / ranks, dart);
}

std::uint64_t mixed_dart(std::int64_t dart) {
  return apps::mixed(static_cast<std::uint64_t>(dart));
}

}  // namespace

Measured permutation(std::int64_t own_darts) {
  wall.places.assign(static_cast<std::size_t>(2 * own_darts), -1);
  wall.throws_count = 0;
  const std::int64_t first = rank() * own_darts;
  barrier();
  const Stopwatch watch;
  for (std::int64_t i = 0; i < own_darts; ++i) throw_dart(first + i);
  quiesce();
  Measured measured = watch.elapsed(static_cast<double>(own_darts));
  // Each dart is somewhere once: the sum of numbers that look random is that of all.
  std::uint64_t found = 0;
  std::uint64_t thrown = 0;
  for (const std::int64_t dart : wall.places) found += dart < 0 ? 0 : mixed_dart(dart);
  for (std::int64_t i = 0; i < own_darts; ++i) thrown += mixed_dart(first + i);
  measured.is_right = allreduce(found, Sum{}) == allreduce(thrown, Sum{});
  return measured;
}

}  // namespace tasuki::bench::kernels
