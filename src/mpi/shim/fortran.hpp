// What wrappers of Fortran symbols need: the MPI's own symbol behind the entry, and the sentinels.
//
// Fortran passes MPI_STATUS_IGNORE and MPI_IN_PLACE as the addresses of variables of the MPI
// library, others in mpif.h than in mpi_f08. A wrapper passes all arguments on as they are, to the
// symbol that the program would have reached without Tasuki.
//
// Thread-safety: any thread, after the shim has started.
#pragma once

#include "mpi/shim/handles.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tasuki::mpi::shim {

/// The symbols of all entries, and what each is in the MPI library, as libtasuki_mpi.so found them.
struct FortranEntries {
  const char* const* symbols = nullptr;
  void* const* next = nullptr;
};
extern FortranEntries fortran_entries;

template <typename FunctionPointer>
FunctionPointer next_of(std::size_t entry) noexcept {
  return reinterpret_cast<FunctionPointer>(fortran_entries.next[entry]);
}

bool is_fortran_status_ignore(const void* argument) noexcept;
bool is_fortran_statuses_ignore(const void* argument) noexcept;
bool is_fortran_in_place_address(const void* argument) noexcept;
bool is_fortran_bottom(const void* argument) noexcept;

/// Whether the entry's symbol takes descriptors of arrays for buffers (ISO/IEC TS 29113).
template <std::size_t Entry>
bool takes_descriptors() noexcept {
  return std::string_view(fortran_entries.symbols[Entry]).find("_f08ts_") != std::string_view::npos;
}

/// Whether a buffer is MPI_IN_PLACE. The address is the first word of a descriptor.
template <std::size_t Entry>
bool is_fortran_in_place(const void* buffer) noexcept {
  if (!takes_descriptors<Entry>()) return is_fortran_in_place_address(buffer);
  return is_fortran_in_place_address(*static_cast<void* const*>(buffer));
}

/// Whether the MPI library counts requests from zero in mpi_f08, as MPICH 4.0 does (its issue
/// 6270).
bool counts_from_zero_in_f08() noexcept;

/// The index of the first of an array of requests in what the entry's symbol returns.
template <std::size_t Entry>
int first_fortran_index() noexcept {
  const bool is_f08 = std::string_view(fortran_entries.symbols[Entry]).ends_with("_f08_");
  return is_f08 && counts_from_zero_in_f08() ? 0 : 1;
}

/// A buffer of Fortran as C passes it, sentinels included.
void* fortran_buffer(void* argument) noexcept;

/// Whether this MPI's Fortran symbols call PMPI, so that the wrappers of C see nothing of them.
#if defined(OPEN_MPI)
inline constexpr bool fortran_calls_pmpi = true;
#else
inline constexpr bool fortran_calls_pmpi = false;
#endif

/// The same of one entry. MPICH's symbols of mpi_f08 call PMPI where no argument is a buffer, as in
/// MPI_Barrier; the others are named _f08ts_.
template <std::size_t Entry>
bool calls_pmpi() noexcept {
  static const bool is_without_buffer =
      std::string_view(fortran_entries.symbols[Entry]).ends_with("_f08_");
  return fortran_calls_pmpi || is_without_buffer;
}

/// Whether the entry's wrapper does what the wrapper of C would do, which the MPI's symbol does not
/// reach. What is given by descriptors is left to the MPI library.
template <std::size_t Entry>
bool stands_for_c() noexcept {
  static const bool does = calls_pmpi<Entry>() && !takes_descriptors<Entry>();
  return does;
}

/// The error code of a call; in mpi_f08 the program may leave it out.
inline bool succeeded(const void* ierror) noexcept {
  return ierror == nullptr || fortran_integer(ierror) == MPI_SUCCESS;
}

inline void set_fortran_code(void* ierror, int code) noexcept {
  if (ierror != nullptr) *static_cast<MPI_Fint*>(ierror) = code;
}

/// Counts of the functions for large counts.
inline const MPI_Count* fortran_counts(const void* argument) noexcept {
  return static_cast<const MPI_Count*>(argument);
}
inline MPI_Count fortran_count(const void* argument) noexcept { return *fortran_counts(argument); }

/// The status of a Fortran call, with room for one where the program wants none.
class FortranStatus {
 public:
  void* seen(void* given) noexcept {
    seen_ = is_fortran_status_ignore(given) ? own_.data() : static_cast<MPI_Fint*>(given);
    return seen_;
  }
  MPI_Status status() const noexcept {
    MPI_Status converted{};
    PMPI_Status_f2c(seen_, &converted);
    return converted;
  }

 private:
  std::array<MPI_Fint, sizeof(MPI_Status) / sizeof(MPI_Fint)> own_{};
  MPI_Fint* seen_ = nullptr;
};

}  // namespace tasuki::mpi::shim
