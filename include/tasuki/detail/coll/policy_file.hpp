// A policy as a text file: what `tasuki tune` writes, the runtime reads and people may edit.
//
// docs/formats/policy.md describes the lines. Thread-safety: values, and functions without state.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tasuki/detail/coll/policy.hpp>

namespace tasuki::coll {

struct PolicyFile {
  std::string machine;    ///< Where it was measured, for no other; "any": it was simulated.
  std::string transport;  ///< That the measured ranks used.
  std::string library;    ///< MPI library of the measured ranks; "" if that does not matter.
  std::vector<PolicyRow> rows;
};

/// Where `tasuki tune` writes the policy of a transport, and jobs look by themselves; "" where the
/// user has no folder for it.
std::string usual_policy_path(std::string_view transport);

/// What is in the file. Throws tasuki::error if there is none, it is no regular file, cannot be
/// read or is longer than any policy.
std::string read_policy_file(const std::string& path);

/// `name` is the file's, for messages. Throws tasuki::error with the number of the line: not a
/// policy file, of another version, cut short, an unknown collective, algorithm or parameter.
PolicyFile parse_policy_file(std::string_view text, std::string_view name);

/// As `parse_policy_file` reads it.
std::string to_text(const PolicyFile& file);

/// Throws tasuki::error unless the file is for this machine and transport, and for this MPI library
/// if it names one.
void require_measured_here(const PolicyFile& file, std::string_view machine,
                           std::string_view transport, std::string_view library,
                           std::string_view name);

/// The file's rows before those of the default policy, of ranks that have no MPI library to choose
/// for. Throws as require_measured_here.
Policy policy_for(const PolicyFile& file, std::string_view machine, std::string_view transport,
                  std::string_view name);

}  // namespace tasuki::coll
