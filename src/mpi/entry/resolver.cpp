#include "mpi/entry/entries.hpp"

#include "mpi/entry/library.hpp"
#include "mpi/entry/message.hpp"
#include "mpi/entry/weak_references.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

// This file is in each process that the launcher starts, shells included: it uses the C library
// alone.

namespace tasuki::mpi::entry {
namespace {

pthread_once_t is_resolved = PTHREAD_ONCE_INIT;
constexpr std::size_t most_entries = 4096;
void* next[most_entries];

const char* mpi_name = "the program's MPI";
bool was_called = false;

/// As the dynamic linker ends a program that lacks a symbol, and with its exit code.
[[noreturn]] void call_of_missing(const char* symbol) {
  std::fprintf(stderr, "tasuki: symbol lookup error: undefined symbol: %s is not in %s\n", symbol,
               mpi_name);
  ::_exit(127);
}

/// The folder of libtasuki_mpi.so, where the shims are.
void* open_shim(const char* family) {
  Dl_info own{};
  if (::dladdr(reinterpret_cast<const void*>(&tasuki_mpi_resolve), &own) == 0) return nullptr;
  const char* const slash = std::strrchr(own.dli_fname, '/');
  const int length = slash != nullptr ? static_cast<int>(slash + 1 - own.dli_fname) : 0;
  char path[4096];
  std::snprintf(path, sizeof path, "%.*stasuki_mpi_shim_%s.so", length, own.dli_fname, family);
  void* const shim = ::dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (shim == nullptr) {
    std::fprintf(stderr, "tasuki: the program runs on as it is, without Tasuki: %s\n", ::dlerror());
  }
  return shim;
}

void start_shim(const Library& library) {
  void* const shim = open_shim(library.family);
  if (shim == nullptr) return;
  const auto start = reinterpret_cast<StartFunction>(::dlsym(shim, "tasuki_mpi_start"));
  if (start != nullptr) start({symbols, entry_count, next, tasuki_mpi_entries});
}

/// Another tool that defines MPI_Init gets the program's calls, or Tasuki does, but not both.
void warn_of_other_tool() {
  Dl_info own{};
  Dl_info first{};
  Dl_info after{};
  ::dladdr(reinterpret_cast<const void*>(&tasuki_mpi_resolve), &own);
  ::dladdr(::dlsym(RTLD_DEFAULT, "MPI_Init"), &first);
  void* const next_init = ::dlsym(RTLD_NEXT, "MPI_Init");
  if (first.dli_fbase != nullptr && first.dli_fbase != own.dli_fbase) {
    say_for_job(
        "tasuki: %s defines MPI_Init too and comes first: it is another tool for MPI programs;\n"
        "  Tasuki misses the calls that it sees; use one of the two\n",
        first.dli_fname);
  } else if (next_init != nullptr && ::dladdr(next_init, &after) != 0 && !is_mpi_file(after)) {
    say_for_job(
        "tasuki: %s defines MPI_Init too: it is another tool for MPI programs, and sees no calls\n"
        "  while Tasuki does; use one of the two\n",
        after.dli_fname);
  }
}

void resolve_all() {
  was_called = true;
  const Library library = find_library();
  mpi_name = library.name;
  for (std::size_t i = 0; i < entry_count; ++i) {
    next[i] = ::dlsym(RTLD_NEXT, symbols[i]);
    if (next[i] == nullptr && library.handle != nullptr) {
      next[i] = ::dlsym(library.handle, symbols[i]);
    }
    // The entry of a missing function keeps its stub, which asks at each call.
    if (next[i] != nullptr) tasuki_mpi_entries[i] = next[i];
  }
  const auto* const own = reinterpret_cast<const void*>(&tasuki_mpi_resolve);
  clear_weak_references(own, symbols, next, entry_count);
  if (!is_wanted()) return;
  if (library.family == nullptr) {
    say_for_job(
        "tasuki: %s is no MPI that Tasuki knows (Open MPI 4 and 5, MPICH 4 and 5); the\n"
        "  program runs on as it is, without Tasuki\n",
        library.name);
    return;
  }
  warn_of_other_tool();
  start_shim(library);
}

/// A program that looks its MPI's functions up by dlsym, as Julia's MPI.jl does, comes to the end
/// with none of its calls seen.
__attribute__((destructor)) void warn_if_calls_went_past() {
  if (was_called || !is_wanted()) return;
  const char* const name = initialized_mpi();
  if (name == nullptr) return;
  say_for_job(
      "tasuki: the program has looked up the functions of %s by itself (dlsym), so that none of\n"
      "  its MPI calls were seen; link it to its MPI to profile it\n",
      name);
}

}  // namespace
}  // namespace tasuki::mpi::entry

void* tasuki_mpi_resolve(std::size_t number) {
  using namespace tasuki::mpi::entry;
  ::pthread_once(&is_resolved, &resolve_all);
  if (next[number] == nullptr) call_of_missing(symbols[number]);
  return tasuki_mpi_entries[number];
}
