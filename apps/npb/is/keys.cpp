#include "npb/is/keys.hpp"

#include "npb/common/random.hpp"

namespace tasuki::npb::is {
namespace {

void set_key(Range places, std::int64_t place, Key key, std::span<Key> keys) {
  if (places.contains(place)) keys[static_cast<std::size_t>(place - places.begin)] = key;
}

}  // namespace

HugeArray<Key> generate_keys(const Problem& problem, Range places) {
  constexpr int numbers_per_key = 4;
  RandomStream random;
  random.skip(static_cast<std::uint64_t>(numbers_per_key * places.begin));
  const double quarter = problem.key_limit() / 4.0;
  HugeArray<Key> keys(static_cast<std::size_t>(places.size()));
  for (Key& key : keys) {
    double sum = random.next();
    for (int number = 1; number < numbers_per_key; ++number) sum += random.next();
    key = static_cast<Key>(quarter * sum);
  }
  return keys;
}

void change_keys(const Problem& problem, Range places, int iteration, std::span<Key> keys) {
  set_key(places, iteration, iteration, keys);
  set_key(places, iteration + iterations, problem.key_limit() - iteration, keys);
}

void perturb_keys(const Problem& problem, Range places, std::span<Key> keys) {
  constexpr std::int64_t victim = 100;  // Not one of those that change_keys sets.
  if (!places.contains(victim)) return;
  const Key key = keys[static_cast<std::size_t>(victim - places.begin)];
  set_key(places, victim, key < problem.key_limit() / 2 ? problem.key_limit() - 1 : 0, keys);
}

}  // namespace tasuki::npb::is
