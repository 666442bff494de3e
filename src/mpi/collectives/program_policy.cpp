#include "mpi/collectives/program_policy.hpp"

#include "mpi/wait/own_calls.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <tasuki/detail/base/topology.hpp>
#include <tasuki/detail/coll/policy_file.hpp>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/detail/mpi/collectives/asked_policy.hpp>
#include <tasuki/detail/mpi/messages/library_name.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tasuki::mpi::collectives {
namespace {

using coll::PolicyRow;

/// As policy files name what preloaded collectives were measured with.
constexpr const char* transport_name = "preloaded";

/// The reason of the rows that were measured, by which a choice shows where it comes from.
constexpr const char* measured_reason = "measured";

std::vector<PolicyRow> marked(std::vector<PolicyRow> rows) {
  for (PolicyRow& row : rows) row.reason = measured_reason;
  return rows;
}

/// What was best in node memory says nothing of Tasuki's messages between nodes.
std::vector<PolicyRow> without_memory(std::vector<PolicyRow> rows) {
  for (PolicyRow& row : rows) {
    const coll::Medium medium = coll::algorithm_named(row.collective, row.algorithm).medium();
    if (medium != coll::Medium::shared_memory && medium != coll::Medium::peer_memory) continue;
    row.algorithm = "native";
    row.parameters.clear();
  }
  return rows;
}

/// The file that `tasuki tune` writes for an MPI library, as measurement/policy_file.py names it;
/// "" where the user has no folder for it.
std::string usual_path(std::string library) {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (config != nullptr && *config != '\0') {
    folder = config;
  } else if (home != nullptr) {
    folder = std::filesystem::path(home) / ".config";
  } else {
    return {};
  }
  std::transform(library.begin(), library.end(), library.begin(), [](unsigned char one) {
    return std::isalnum(one) != 0 || one == '.' ? static_cast<char>(std::tolower(one)) : '-';
  });
  return folder / "tasuki" / fmt::format("policy-{}-{}", transport_name, library);
}

/// The text of the policy; "" is the built-in one; nothing where it cannot be had, after a message.
std::optional<std::string> find_text(const std::string& wanted) {
  if (wanted == "default" || wanted == asked_for) return "";
  const std::string library = library_name();
  const bool is_usual = wanted == "auto";
  const std::string path = is_usual ? usual_path(library) : wanted;
  std::error_code ignored;
  if (is_usual && !std::filesystem::exists(path, ignored)) return "";
  try {
    std::string text = coll::read_policy_file(path);
    coll::require_measured_here(coll::parse_policy_file(text, path), base::machine_name(),
                                transport_name, library, path);
    return text;
  } catch (const std::exception& failure) {
    std::fprintf(
        stderr, "tasuki: %s: %s\n",
        is_usual ? "the built-in policy is used" : "the program runs on without tuned collectives",
        failure.what());
    if (is_usual) return "";
    return std::nullopt;
  }
}

}  // namespace

ProgramPolicy::ProgramPolicy(std::vector<PolicyRow> measured)
    : on_node_(coll::before_default_policy(marked(measured))),
      across_nodes_(coll::before_default_policy(marked(without_memory(std::move(measured))))) {}

std::optional<ProgramPolicy> ProgramPolicy::read(const std::string& wanted, int rank) {
  std::string text;
  long long length = -1;
  if (rank == 0) {
    if (std::optional<std::string> found = find_text(wanted)) {
      text = std::move(*found);
      length = static_cast<long long>(text.size());
    }
  }
  wait::bcast(length, MPI_COMM_WORLD);
  if (length < 0) return std::nullopt;
  if (length == 0) return ProgramPolicy({});
  text.resize(static_cast<std::size_t>(length));
  wait::bcast_text(text, MPI_COMM_WORLD);
  return ProgramPolicy(coll::parse_policy_file(text, "the policy of rank 0").rows);
}

std::optional<coll::Choice> ProgramPolicy::choose(coll::Collective collective,
                                                  const coll::Shape& shape,
                                                  coll::Media media) const {
  const coll::Policy& policy = media.shared_memory ? on_node_ : across_nodes_;
  coll::Choice choice = policy.select(collective, shape, media);
  const bool is_by_messages = choice.algorithm->medium() == coll::Medium::messages;
  if (is_by_messages && choice.reason != measured_reason) return std::nullopt;
  return choice;
}

}  // namespace tasuki::mpi::collectives
