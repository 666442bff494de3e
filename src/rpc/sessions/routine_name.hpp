// Finds the routine that a program names by a text.
//
// Used by the interfaces for C, C++ and Fortran. Thread-safety: a pure function.
#pragma once

#include <string_view>
#include <tasuki/error.hpp>
#include <vector>

#include "rpc/interface/module.hpp"

namespace tasuki::rpc {

struct FoundRoutine {
  const Module& module;
  const Routine& routine;
};

struct FoundClass {
  const Module& module;
  const RemoteClass& remote_class;
};

class UnknownRoutine : public error {
 public:
  using error::error;
};

/// The routine "module/routine"; also "routine" if one module alone has it. Throws UnknownRoutine.
FoundRoutine find_routine(const std::vector<Module>& modules, std::string_view name);
/// The same for the class "module/Class".
FoundClass find_class(const std::vector<Module>& modules, std::string_view name);

}  // namespace tasuki::rpc
