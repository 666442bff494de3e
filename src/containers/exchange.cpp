#include <tasuki/detail/containers/exchange.hpp>

#include <numeric>
#include <tasuki/collectives.hpp>
#include <tasuki/error.hpp>

namespace tasuki::containers {

std::vector<Bytes> allgather_bytes(std::span<const std::byte> mine, const Team& team) {
  const std::vector<std::size_t> counts = allgather(mine.size(), team);
  Bytes all(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  allgatherv<std::byte>(mine, all, Blocks{counts}, team);
  std::vector<Bytes> parts;
  auto begin = all.begin();
  for (const std::size_t count : counts) {
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    parts.emplace_back(begin, end);
    begin = end;
  }
  return parts;
}

void throw_together(const std::string& operation, const Failure& mine, const Team& team) {
  const bool failed = !mine.happened.empty();
  if (!allreduce(failed, LogicalOr{}, team)) return;
  std::vector<std::string> texts;
  if (failed) texts = {std::to_string(team.rank()), mine.happened, mine.remedy};
  const std::vector<std::string> all = allgather_values(texts, team);
  throw error(operation, "on rank " + all[0] + " of the team: " + all[1], all[2]);
}

}  // namespace tasuki::containers
