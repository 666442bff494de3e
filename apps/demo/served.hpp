// What the served programs have in common: the arguments of a call, and a main function.
//
// Used by the programs of this folder, whose ranks run on Tasuki's runtime. Thread-safety: the
// rank's own thread.
#pragma once

#include <tasuki/routines.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <tasuki/tasuki.hpp>

namespace tasuki::demo {

/// The arguments of a call, by their places in the interface.
class Arguments {
 public:
  explicit Arguments(void* const* arguments) noexcept : arguments_(arguments) {}

  template <class T>
  T scalar(int place) const noexcept {
    return *static_cast<const T*>(arguments_[place]);
  }
  /// This rank's block of an array, or all of one that is not distributed.
  template <class T>
  std::span<T> block(int place) const noexcept {
    const tasuki_array_layout* const layout = layout_of(place);
    std::size_t count = 1;
    for (int i = 0; i < layout->dimensions; ++i) {
      count *= static_cast<std::size_t>(layout->local_extents[i]);
    }
    return {static_cast<T*>(arguments_[place]), count};
  }
  /// A result of one element.
  template <class T>
  T& result(int place) const noexcept {
    return *static_cast<T*>(arguments_[place]);
  }
  const tasuki_array_layout* layout_of(int place) const noexcept {
    return tasuki_layout(arguments_[place]);
  }

 private:
  void* const* arguments_;
};

/// A routine that takes Arguments. An exception fails the call, with its text. The ranks leave it
/// together, as one that has left does not answer the others until its next call.
template <void (*routine)(const Arguments&)>
void served(void* const* arguments) {
  try {
    routine(Arguments(arguments));
    barrier();
  } catch (const std::exception& fault) {
    tasuki_fail(fault.what());
  }
}

/// The main function of a program with these routines. Returns: the exit code.
inline int serve_routines(int argc, char** argv, std::span<const tasuki_routine> routines) {
  return run(argc, argv,
             [&] { return tasuki_serve_calls(rank(), size(), routines.data(), routines.size()); });
}

}  // namespace tasuki::demo
