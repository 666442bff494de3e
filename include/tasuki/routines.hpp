// A program whose ranks serve numerical remote procedure calls: what its main function calls once
// its ranks have started.
//
// `tasuki serve` starts the program and tells it by the environment whose calls to serve. The
// routines are those of an interface file (docs/guide/interface-language.md). Thread-safety: the
// calling thread runs the routines.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace tasuki::rpc {

/// A routine of the program. `arguments` has for each parameter of the interface, in order, a
/// pointer to the scalar or to this rank's block.
struct RoutineEntry {
  const char* name;
  void (*run)(void* const* arguments);
};

/// A variable that belongs to the state of a class, of which each object has its own contents.
struct StateVariable {
  void* memory;
  std::size_t bytes;
};

/// A class, whose methods are routines of the program with names such as "Class.method". Those
/// named _initialize and _finalize, without arguments, run when an object is made and when it ends.
struct ClassEntry {
  const char* name;
  std::span<const StateVariable> variables;
};

/// Serves calls until the server ends. Collective: all ranks call it with the same routines and
/// classes. With a `signature`, that of the interface which the program was made of, the server
/// refuses it if its own is another one. Throws tasuki::error if no server has started this
/// program, or it is refused.
/// Example: apps/demo/linpack.cpp
void serve_calls(int rank, int ranks, std::span<const RoutineEntry> routines,
                 std::span<const ClassEntry> classes = {}, std::string_view signature = {});

}  // namespace tasuki::rpc
