#include <tasuki/detail/containers/exchange.hpp>

#include <tasuki/collectives.hpp>
#include <tasuki/error.hpp>

namespace tasuki::containers {

void throw_together(const std::string& operation, const Failure& mine, const Team& team) {
  const bool failed = !mine.happened.empty();
  if (!allreduce(failed, LogicalOr{}, team)) return;
  std::vector<std::string> texts;
  if (failed) texts = {std::to_string(team.rank()), mine.happened, mine.remedy};
  const std::vector<std::string> all = allgather_values(texts, team);
  throw error(operation, "on rank " + all[0] + " of the team: " + all[1], all[2]);
}

}  // namespace tasuki::containers
