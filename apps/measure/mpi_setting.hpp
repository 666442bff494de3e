// An integer variable of the MPI library, by MPI's tools interface (MPI_T): which algorithm it uses
// for a collective, for one. Thread-safety: main thread only, after MPI_Init.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::measure {

/// A value of a variable that has names for its values.
struct MpiChoice {
  std::string name;
  int value;
};

class MpiSetting {
 public:
  /// Returns: nullptr if the library has no integer variable of that name. The library is asked
  /// once; the setting stays for as long as the program runs.
  static const MpiSetting* find(const std::string& name);

  int read() const;
  /// Returns: does the library let it be changed so?
  bool write(int value) const noexcept;
  const std::string& name() const noexcept { return name_; }
  const std::vector<MpiChoice>& choices() const noexcept { return choices_; }

 private:
  static std::optional<MpiSetting> ask(const std::string& name);

  std::string name_;
  MPI_T_cvar_handle handle_{};
  std::vector<MpiChoice> choices_;
};

/// Settings of the library that are changed until it is destroyed.
class ForcedSettings {
 public:
  ForcedSettings() = default;
  ~ForcedSettings() { restore(); }
  ForcedSettings(const ForcedSettings&) = delete;
  ForcedSettings& operator=(const ForcedSettings&) = delete;

  /// Throws tasuki::error, having changed nothing, if the library does not let it be changed.
  void force(const MpiSetting& setting, int value);
  void restore() noexcept;

 private:
  std::vector<std::pair<const MpiSetting*, int>> changed_;  ///< With what they were before.
};

}  // namespace tasuki::measure
