// Sorting by digits on several ranks: the routines of python/tasuki/data/demo/radixsort.idl.
#include <algorithm>
#include <array>
#include <vector>

#include "demo/served.hpp"
#include "radixsort/sorter.hpp"
#include "radixsort/tasuki_exchange.hpp"

namespace tasuki::demo {
namespace {

using radixsort::Key;

constexpr std::int64_t radix = 256;
static_assert(radixsort::digit_count(radix) * 8 >= 32, "All bits of a key count.");

/// Signed keys have the order of unsigned ones with the other first bit.
constexpr Key sign_bit = Key{1} << 31;

/// Which places of the whole array each rank has, by BLOCK.
std::vector<apps::Range> parts_of(const tasuki_array_layout& layout) {
  const std::int64_t count = layout.extents[0];
  std::vector<apps::Range> parts;
  for (int rank = 0; rank < size(); ++rank) {
    const std::int64_t begin = std::min(count, rank * layout.block_extents[0]);
    parts.push_back({begin, std::min(count, begin + layout.block_extents[0])});
  }
  return parts;
}

/// sort(n, keys, sorted); `flipped` are the bits that are the other way round in the order.
void sort_keys(const Arguments& arguments, Key flipped) {
  const std::span<const Key> keys = arguments.block<const Key>(1);
  const auto with_flipped = [flipped](Key key) { return key ^ flipped; };
  radixsort::TasukiExchange exchange(parts_of(*arguments.layout_of(1)), false);
  std::ranges::transform(keys, exchange.keys().begin(), with_flipped);
  radixsort::Sorter(radix, rank(), exchange).sort();
  std::ranges::transform(exchange.keys(), arguments.block<Key>(2).begin(), with_flipped);
  barrier();  // Nobody frees what others still write to.
}

void sort(const Arguments& arguments) { sort_keys(arguments, 0); }
void sort_signed(const Arguments& arguments) { sort_keys(arguments, sign_bit); }

constexpr std::array<tasuki_routine, 2> routines = {
    {{"sort", served<sort>}, {"sort_signed", served<sort_signed>}}};

}  // namespace
}  // namespace tasuki::demo

int main(int argc, char** argv) {
  return tasuki::demo::serve_routines(argc, argv, tasuki::demo::routines);
}
