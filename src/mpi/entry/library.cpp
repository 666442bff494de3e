#include "mpi/entry/library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>

// This file is in each process that the launcher starts: it uses the C library alone.

namespace tasuki::mpi::entry {
namespace {

/// A family of MPI libraries with one binary interface: the beginning of the file's name, and a
/// symbol that only it has.
struct Family {
  const char* name;
  const char* file;
  const char* symbol;
};

// The standard's own interface comes first: MPICH's library of it has MPICH's symbols too.
constexpr Family families[] = {
    {"abi", "libmpi_abi.", "MPI_Abi_get_version"},
    {"ompi", "libmpi.", "ompi_mpi_comm_world"},
    {"mpich", "libmpi", "MPIR_Err_create_code"},
};

const char* file_of(const char* path) {
  const char* const slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

constexpr std::size_t most_candidates = 16;

struct Candidates {
  std::array<const char*, most_candidates> names;
  std::size_t count = 0;
};

/// Notes one loaded object that may be an MPI library, or stand on one. Nothing is opened here:
/// dlopen takes the locks that dl_iterate_phdr holds in the opposite order.
int note_object(dl_phdr_info* object, std::size_t, void* found) {
  auto& candidates = *static_cast<Candidates*>(found);
  if (std::strncmp(file_of(object->dlpi_name), "libmpi", 6) != 0) return 0;
  candidates.names[candidates.count++] = object->dlpi_name;
  return candidates.count == most_candidates ? 1 : 0;
}

/// The MPI library among the loaded objects, wherever its symbols can be seen: Python loads its MPI
/// so that only its own module sees them.
Library loaded_library() {
  Candidates candidates;
  ::dl_iterate_phdr(note_object, &candidates);
  Library library;
  for (std::size_t i = 0; i < candidates.count; ++i) {
    void* const handle = ::dlopen(candidates.names[i], RTLD_LAZY | RTLD_NOLOAD);
    void* const init = handle != nullptr ? ::dlsym(handle, "PMPI_Init") : nullptr;
    Dl_info of_symbol{};
    if (init == nullptr || ::dladdr(init, &of_symbol) == 0) continue;
    // A library of Fortran's functions only stands on the one that has the symbol.
    library.name = of_symbol.dli_fname;
    library.handle = ::dlopen(library.name, RTLD_LAZY | RTLD_NOLOAD);
    break;
  }
  return library;
}

}  // namespace

Library find_library() {
  Library library;
  Dl_info of_symbol{};
  void* const init = ::dlsym(RTLD_NEXT, "PMPI_Init");
  if (init != nullptr && ::dladdr(init, &of_symbol) != 0) {
    library.name = of_symbol.dli_fname;
    library.handle = ::dlopen(library.name, RTLD_LAZY | RTLD_NOLOAD);
  } else {
    library = loaded_library();
  }
  if (library.handle == nullptr) return library;
  // The shim's references to PMPI are looked up among the global symbols.
  ::dlopen(library.name, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
  for (const Family& family : families) {
    const bool has_name =
        std::strncmp(file_of(library.name), family.file, std::strlen(family.file)) == 0;
    if (has_name && ::dlsym(library.handle, family.symbol) != nullptr) {
      library.family = family.name;
      break;
    }
  }
  return library;
}

bool is_mpi_file(const Dl_info& object) {
  const char* const file = file_of(object.dli_fname);
  return std::strncmp(file, "libmpi", 6) == 0 || std::strncmp(file, "libpmpi", 7) == 0;
}

const char* initialized_mpi() {
  const Library library = loaded_library();
  if (library.handle == nullptr) return nullptr;
  using Initialized = int (*)(int*);
  const auto ask = reinterpret_cast<Initialized>(::dlsym(library.handle, "PMPI_Initialized"));
  int flag = 0;
  return ask != nullptr && ask(&flag) == 0 && flag != 0 ? library.name : nullptr;
}

bool is_wanted() {
  constexpr const char* settings[] = {"TASUKI_PROFILE_FOLDER", "TASUKI_TUNED", "TASUKI_PREDICT",
                                      "TASUKI_PREDICT_REPORT"};
  for (const char* setting : settings) {
    const char* const value = std::getenv(setting);
    if (value != nullptr && *value != '\0') return true;
  }
  return false;
}

}  // namespace tasuki::mpi::entry
