#include <tasuki/detail/containers/exchange.hpp>

#include <tasuki/collectives.hpp>
#include <tasuki/error.hpp>

namespace tasuki::containers {
namespace {

/// What the first rank that failed says; nothing if none failed. Collective.
std::optional<error> first_failure(const std::string& operation, const Failure& mine,
                                   const Team& team) {
  const bool failed = !mine.happened.empty();
  if (!allreduce(failed, LogicalOr{}, team)) return std::nullopt;
  std::vector<std::string> texts;
  if (failed) texts = {std::to_string(team.rank()), mine.happened, mine.remedy};
  const std::vector<std::string> all = allgather_values(texts, team);
  return error(operation, "on rank " + all[0] + " of the team: " + all[1], all[2]);
}

Failure failure_of(const std::exception_ptr& exception) {
  if (exception == nullptr) return {};
  try {
    std::rethrow_exception(exception);
  } catch (const error& e) {
    return {e.operation() + ": " + e.happened(), e.remedy()};
  } catch (const std::exception& e) {
    return {std::string("an exception: ") + e.what(), "see what that rank was doing"};
  } catch (...) {
    return {"an exception that is no std::exception", "see what that rank was doing"};
  }
}

}  // namespace

void throw_together(const std::string& operation, const Failure& mine, const Team& team) {
  const std::optional<error> failure = first_failure(operation, mine, team);
  if (failure) throw error(*failure);
}

void throw_together(const std::string& operation, const std::exception_ptr& mine,
                    const Team& team) {
  const std::optional<error> failure = first_failure(operation, failure_of(mine), team);
  if (mine != nullptr) std::rethrow_exception(mine);
  if (failure) throw error(*failure);
}

}  // namespace tasuki::containers
