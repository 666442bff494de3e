// An integer variable of the MPI library, by MPI's tools interface (MPI_T): which algorithm it uses
// for a collective, for one. Thread-safety: main thread only, after MPI_Init.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::measure {

/// A value of a variable that has names for its values.
struct MpiChoice {
  std::string name;
  int value;
};

class MpiSetting {
 public:
  /// Returns: nothing if the library has no integer variable of that name.
  static std::optional<MpiSetting> find(const std::string& name);

  int read() const;
  /// Throws tasuki::error if the library does not let it be changed.
  void write(int value) const;
  const std::vector<MpiChoice>& choices() const noexcept { return choices_; }

 private:
  struct FreeHandle {
    using pointer = MPI_T_cvar_handle;
    void operator()(MPI_T_cvar_handle handle) const { MPI_T_cvar_handle_free(&handle); }
  };

  std::string name_;
  std::unique_ptr<MPI_T_cvar_handle, FreeHandle> handle_;
  std::vector<MpiChoice> choices_;
};

}  // namespace tasuki::measure
