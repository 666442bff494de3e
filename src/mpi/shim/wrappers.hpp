// The wrappers of this MPI's functions, as generated from functions.json.
//
// The shim's start puts them into the table of entries.
//
// Thread-safety: read only.
#pragma once

#include "events/event_file.hpp"

#include <cstddef>
#include <span>

namespace tasuki::mpi::shim {

struct Wrapper {
  std::size_t entry;
  void* address;
};

std::span<const Wrapper> all_wrappers() noexcept;
std::span<const events::FunctionName> function_names() noexcept;

}  // namespace tasuki::mpi::shim
