// How a program asks the preloaded library for an algorithm: by MPI_Pcontrol, which the standard
// leaves to such libraries, and which does nothing without one.
//
// The programs that measure algorithms ask. The library listens only where TASUKI_TUNED is
// `asked_for`, because level and argument may mean anything else in other programs. It then
// tunes a communicator at its first collective.
//
// Thread-safety: none; the rank's own thread.
#pragma once

namespace tasuki::mpi {

inline constexpr const char* asked_for = "asked";

/// What the first argument of MPI_Pcontrol is; the second is the address of an AskedPolicy.
inline constexpr int asking_level = 7281;

/// All ranks ask for the same between the same two collectives.
struct AskedPolicy {
  /// A policy file (docs/formats/policy.md) that is in force from now on; nullptr: nothing changes.
  const char* text = nullptr;
  /// Set by the library: did it hear?
  bool is_heard = false;
  /// Set by the library: the algorithm of the last collective, `native`, or "" where it was not
  /// chosen by a policy, or there was none since the policy was changed.
  const char* used = "";
  /// Set by the library: the parameters of that algorithm, as coll::Parameters::parse reads them.
  /// They are there until the next collective, or until another `text` is asked for, which gets "".
  const char* used_parameters = "";
};

}  // namespace tasuki::mpi
