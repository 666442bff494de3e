#include <tasuki/containers/hash_map.hpp>
#include <tasuki/tasuki.hpp>

#include "kernels.hpp"
#include "map_keys.hpp"

namespace tasuki::bench::kernels {

Measured map_insert(std::int64_t size) {
  HashMap<std::uint64_t, std::uint64_t> map;
  const auto count = static_cast<std::uint64_t>(size);
  barrier();
  const Stopwatch watch;
  for (std::uint64_t i = 0; i < count; ++i) map.async_insert(map_key(rank(), i), i);
  quiesce();
  Measured measured = watch.elapsed(static_cast<double>(size));
  std::uint64_t values = 0;
  map.local_for_all([&](std::uint64_t, std::uint64_t value) { values += value; });
  const auto ranks = static_cast<std::uint64_t>(tasuki::size());
  measured.is_right =
      map.size() == ranks * count && allreduce(values, Sum{}) == ranks * (count * (count - 1) / 2);
  return measured;
}

}  // namespace tasuki::bench::kernels
