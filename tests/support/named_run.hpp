// Programs that do one of several things, which their first argument names: tables of functions,
// and who runs the one of a name.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string_view>
#include <type_traits>

namespace tasuki::test {

template <class... Arguments>
struct NamedRun {
  std::string_view name;
  int (*run)(Arguments...);
};

/// Returns: what the function returns; 64, as of a wrong command line, if there is none.
template <std::size_t count, class... Arguments>
int run_named(const NamedRun<Arguments...> (&all)[count], std::string_view name,
              std::type_identity_t<Arguments>... arguments) {
  for (const NamedRun<Arguments...>& one : all) {
    if (one.name == name) return one.run(arguments...);
  }
  std::fprintf(stderr, "there is nothing of this name\n");
  return 64;
}

}  // namespace tasuki::test
