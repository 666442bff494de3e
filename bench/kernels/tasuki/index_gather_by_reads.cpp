#include <algorithm>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "index_gather.hpp"
#include "kernels.hpp"

namespace tasuki::bench::kernels {

Measured index_gather_by_reads(std::int64_t size) {
  const auto tables = new_array<std::int64_t>(gathered_entries, world_team());
  const auto own = tables[static_cast<std::size_t>(rank())];
  std::ranges::copy(gathered_table(rank()), own.raw());
  const auto places = gathered_places(rank(), tasuki::size(), size);
  std::vector<std::int64_t> values(places.size());
  barrier();
  const Stopwatch watch;
  std::vector<Future<void>> reads;
  reads.reserve(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto from = tables[static_cast<std::size_t>(places[i].rank)] + places[i].index;
    reads.push_back(from.nread_async(&values[i], 1));
  }
  for (auto& read : reads) read.get();
  barrier();
  Measured measured = watch.elapsed(static_cast<double>(size));
  measured.is_right = is_gathered(values, places);
  barrier();
  delete_(own);
  return measured;
}

}  // namespace tasuki::bench::kernels
