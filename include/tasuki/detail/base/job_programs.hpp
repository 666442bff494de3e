// Which programs are the ranks of a job: all run the same build, or all name functions for others.
//
// Transports compare the identities of all ranks at start; remote calls name code by what comes of
// it (code_address.hpp). Thread-safety: `admit_other_programs` before main; the rest from any
// thread, once the transport has started.
#pragma once

#include <cstdint>

namespace tasuki::base {

/// Constant bytes, as ranks send it to each other.
struct ProgramIdentity {
  std::uint64_t build = 0;    ///< As main_build_id.
  std::uint64_t sources = 0;  ///< Of Tasuki, if other programs are admitted; else 0.

  bool runs_with(const ProgramIdentity& other) const noexcept {
    return build == other.build || (sources != 0 && sources == other.sources);
  }
};

ProgramIdentity own_program() noexcept;

/// What to do if two do not run together.
inline constexpr const char* other_programs_remedy =
    "start the same program everywhere, or programs of one build of Tasuki which all have a "
    "tasuki::Named function or import tasuki.ranks";

/// Ranks of other programs, built with the same sources of Tasuki, may be in the job.
void admit_other_programs() noexcept;

/// For the transports: may ranks of both be in this job? If so, and they are not the same program,
/// notes that there are several.
bool join(const ProgramIdentity& one, const ProgramIdentity& other) noexcept;
/// Does a rank of the job run another program?
bool has_other_programs() noexcept;

}  // namespace tasuki::base
