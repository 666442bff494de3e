#include "mpi/collectives/job_policy.hpp"

#include "mpi/wait/own_calls.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <tasuki/detail/base/topology.hpp>
#include <tasuki/detail/coll/policy_file.hpp>
#include <tasuki/detail/mpi/collectives/asked_policy.hpp>
#include <tasuki/detail/mpi/messages/library_name.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tasuki::mpi::collectives {
namespace {

/// As policy files name what preloaded collectives were measured with.
constexpr const char* transport_name = "preloaded";

/// As policy files name what was measured with an MPI library, in the names of the files.
std::string transport_with(std::string library) {
  std::transform(library.begin(), library.end(), library.begin(), [](unsigned char one) {
    return std::isalnum(one) != 0 || one == '.' ? static_cast<char>(std::tolower(one)) : '-';
  });
  return fmt::format("{}-{}", transport_name, library);
}

/// The text of the policy; "" is the built-in one; nothing where it cannot be had, after a message.
std::optional<std::string> find_text(const std::string& wanted) {
  if (wanted == "default" || wanted == asked_for) return "";
  const std::string library = library_name();
  const bool is_usual = wanted == "auto";
  const std::string path = is_usual ? coll::usual_policy_path(transport_with(library)) : wanted;
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

std::optional<ProgramPolicy> read_job_policy(const std::string& wanted, int rank) {
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

}  // namespace tasuki::mpi::collectives
