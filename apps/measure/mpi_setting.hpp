// An integer variable of the MPI library, by MPI's tools interface (MPI_T): which algorithm it uses
// for a collective, for one. Thread-safety: main thread only, after MPI_Init.
#pragma once

#include <mpi.h>

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
  std::string name_;
  MPI_T_cvar_handle handle_{};
  std::vector<MpiChoice> choices_;
};

}  // namespace tasuki::measure
