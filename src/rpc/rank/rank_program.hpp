// What a rank's program offers, and as which rank.
//
// Made by the rank's service. Thread-safety: a value that nobody changes.
#pragma once

#include <span>
#include <string_view>
#include <tasuki/routines.hpp>

#include "rpc/interface/module.hpp"

namespace tasuki::rpc {

struct RankProgram {
  int rank = 0;
  int ranks = 1;
  const Module& module;
  std::span<const RoutineEntry> routines;
  std::span<const ClassEntry> classes = {};
  std::string_view secret = {};  ///< Of all its ranks, which no client knows.

  /// Returns: nullptr if there is none.
  const RoutineEntry* find(std::string_view routine) const noexcept;
};

}  // namespace tasuki::rpc
