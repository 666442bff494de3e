#include "index_gather.hpp"

#include <vector>

#include "common/mpi_program.hpp"
#include "kernels.hpp"
#include "sorted_exchange.hpp"

namespace tasuki::bench::kernels {

Measured index_gather(std::int64_t size) {
  const int rank = apps::MpiJob::rank();
  const int ranks = apps::MpiJob::size();
  const auto table = gathered_table(rank);
  const auto places = gathered_places(rank, ranks, size);
  std::vector<std::int64_t> values(places.size());
  std::vector<std::int64_t> asked;
  std::vector<std::vector<std::size_t>> asked_for(static_cast<std::size_t>(ranks));
  SortedExchange<std::int64_t> exchange(ranks);
  apps::MpiJob::barrier();
  const Stopwatch watch;
  const auto answer = [&](const std::vector<std::int64_t>& arrived) {
    asked.clear();
    for (const std::int64_t index : arrived) {
      asked.push_back(table[static_cast<std::size_t>(index)]);
    }
    std::size_t next = 0;
    const auto answers = exchange.answer(asked);
    for (auto& of_rank : asked_for) {
      for (const std::size_t i : of_rank) values[i] = answers[next++];
      of_rank.clear();
    }
  };
  exchange.send(
      places, [&](std::size_t other, std::size_t i) { asked_for[other].push_back(i); }, answer);
  apps::MpiJob::barrier();
  Measured measured = watch.elapsed(static_cast<double>(size));
  measured.is_right = is_gathered(values, places);
  return measured;
}

}  // namespace tasuki::bench::kernels
