#include <tasuki/tasuki.hpp>
#include <vector>

#include "index_gather.hpp"
#include "kernels.hpp"

namespace tasuki::bench::kernels {
namespace {

std::vector<std::int64_t> table;

}  // namespace

Measured index_gather_by_then(std::int64_t size) {
  table = gathered_table(rank());
  const auto places = gathered_places(rank(), tasuki::size(), size);
  std::vector<std::int64_t> values(places.size());
  barrier();
  const Stopwatch watch;
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto answer = ainvoke(
        places[i].rank, [](std::size_t index) { return table[index]; },
        static_cast<std::size_t>(places[i].index));
    // `quiesce` waits for it.
    static_cast<void>(
        std::move(answer).then([&values, i](std::int64_t value) { values[i] = value; }));
  }
  quiesce();
  Measured measured = watch.elapsed(static_cast<double>(size));
  measured.is_right = is_gathered(values, places);
  return measured;
}

}  // namespace tasuki::bench::kernels
