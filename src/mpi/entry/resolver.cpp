#include "mpi/entry/entries.hpp"

#include "mpi/entry/library.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

// This file is in each process that the launcher starts, shells included: it uses the C library
// alone.

namespace tasuki::mpi::entry {
namespace {

pthread_once_t is_resolved = PTHREAD_ONCE_INIT;
constexpr std::size_t most_entries = 4096;
void* next[most_entries];

[[noreturn]] void call_of_missing_function() {
  std::fprintf(stderr,
               "tasuki: the program called an MPI function that its MPI library does not have;\n"
               "  run it without tasuki, which then says which, or with a newer MPI\n");
  std::abort();
}

void* address_of_missing() { return reinterpret_cast<void*>(&call_of_missing_function); }

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

void resolve_all() {
  const Library library = find_library();
  for (std::size_t i = 0; i < entry_count; ++i) {
    next[i] = ::dlsym(RTLD_NEXT, symbols[i]);
    if (next[i] == nullptr && library.handle != nullptr) {
      next[i] = ::dlsym(library.handle, symbols[i]);
    }
    tasuki_mpi_entries[i] = next[i] != nullptr ? next[i] : address_of_missing();
  }
  if (!is_wanted()) return;
  if (library.family == nullptr) {
    std::fprintf(stderr,
                 "tasuki: %s is no MPI that Tasuki knows (Open MPI 4 and 5, MPICH 4 and 5); the\n"
                 "  program runs on as it is, without Tasuki\n",
                 library.name);
    return;
  }
  start_shim(library);
}

}  // namespace
}  // namespace tasuki::mpi::entry

void* tasuki_mpi_resolve(std::size_t number) {
  ::pthread_once(&tasuki::mpi::entry::is_resolved, &tasuki::mpi::entry::resolve_all);
  return tasuki_mpi_entries[number];
}
