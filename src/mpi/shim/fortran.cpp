#include "mpi/shim/fortran.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <span>

namespace tasuki::mpi::shim {

FortranEntries fortran_entries;

namespace {

/// A variable of an MPI library that stands for a sentinel: the variable's own address, or what the
/// library has stored in it when Fortran's MPI_Init ran.
struct Sentinel {
  const char* symbol;
  bool is_stored;
};

constexpr Sentinel status_ignore[] = {
    {"mpi_fortran_status_ignore_", false},     {"mpi_fortran_status_ignore__", false},
    {"mpi_fortran_status_ignore", false},      {"MPI_FORTRAN_STATUS_IGNORE", false},
    {"MPIR_F08_MPI_STATUS_IGNORE_OBJ", false}, {"MPI_F_STATUS_IGNORE", true},
};
constexpr Sentinel statuses_ignore[] = {
    {"mpi_fortran_statuses_ignore_", false},     {"mpi_fortran_statuses_ignore__", false},
    {"mpi_fortran_statuses_ignore", false},      {"MPI_FORTRAN_STATUSES_IGNORE", false},
    {"MPIR_F08_MPI_STATUSES_IGNORE_OBJ", false}, {"MPI_F_STATUSES_IGNORE", true},
};
constexpr Sentinel in_place[] = {
    {"mpi_fortran_in_place_", false}, {"mpi_fortran_in_place__", false},
    {"mpi_fortran_in_place", false},  {"MPI_FORTRAN_IN_PLACE", false},
    {"MPIR_F08_MPI_IN_PLACE", false}, {"MPIR_F_MPI_IN_PLACE", true},
};

constexpr Sentinel bottom[] = {
    {"mpi_fortran_bottom_", false}, {"mpi_fortran_bottom__", false}, {"mpi_fortran_bottom", false},
    {"MPI_FORTRAN_BOTTOM", false},  {"MPIR_F08_MPI_BOTTOM", false},  {"MPIR_F_MPI_BOTTOM", true},
};

/// The addresses of a sentinel's variables in this process, looked up once.
template <const auto& Sentinels>
bool is_one_of(const void* argument) noexcept {
  static const auto found = [] {
    std::array<void*, std::size(Sentinels)> addresses{};
    std::transform(std::begin(Sentinels), std::end(Sentinels), addresses.begin(),
                   [](const Sentinel& one) { return ::dlsym(RTLD_DEFAULT, one.symbol); });
    return addresses;
  }();
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == nullptr) continue;
    const void* const address = Sentinels[i].is_stored ? *static_cast<void**>(found[i]) : found[i];
    if (address == argument) return true;
  }
  return false;
}

}  // namespace

bool counts_from_zero_in_f08() noexcept {
  static const bool does = [] {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    PMPI_Get_library_version(text.data(), &length);
    const std::string_view version(text.data());
    return version.starts_with("MPICH") && version.find("4.0") < version.find('\n');
  }();
  return does;
}

bool is_fortran_status_ignore(const void* argument) noexcept {
  return is_one_of<status_ignore>(argument);
}
bool is_fortran_statuses_ignore(const void* argument) noexcept {
  return is_one_of<statuses_ignore>(argument);
}
bool is_fortran_in_place_address(const void* argument) noexcept {
  return argument != nullptr && is_one_of<in_place>(argument);
}

bool is_fortran_bottom(const void* argument) noexcept {
  return argument != nullptr && is_one_of<bottom>(argument);
}

void* fortran_buffer(void* argument) noexcept {
  if (is_fortran_in_place_address(argument)) return MPI_IN_PLACE;
  return is_fortran_bottom(argument) ? MPI_BOTTOM : argument;
}

}  // namespace tasuki::mpi::shim
