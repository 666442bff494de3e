// That all ranks of a team mean the same thing, which each describes in words.
//
// Used where they make an array together. Thread-safety: the rank's own thread.
#pragma once

#include <string>
#include <tasuki/team.hpp>

namespace tasuki::containers {

/// Collective. Throws tasuki::error on all ranks if `text`, of what the operation makes, is not the
/// same on all: with that of rank 0 and of the first rank that has another one.
void require_same_on_all(const std::string& text, const char* operation, const char* remedy,
                         const Team& team);

}  // namespace tasuki::containers
