#include "mpi/entry/library.hpp"

#include <dlfcn.h>
#include <link.h>

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

bool is_mpi(void* handle) { return ::dlsym(handle, "PMPI_Init") != nullptr; }

/// Checks one loaded object; Python loads its MPI so that only its own module sees the symbols.
int check_object(dl_phdr_info* object, std::size_t, void* found) {
  if (std::strncmp(file_of(object->dlpi_name), "libmpi", 6) != 0) return 0;
  void* const handle = ::dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr || !is_mpi(handle)) return 0;
  auto& library = *static_cast<Library*>(found);
  library.handle = handle;
  library.name = object->dlpi_name;
  return 1;
}

/// The MPI library among the loaded objects, wherever its symbols can be seen.
Library loaded_library() {
  Library library;
  ::dl_iterate_phdr(check_object, &library);
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
