#include "mpi/shim/library_settings.hpp"

#include <mpi.h>
#include <tasuki/detail/mpi/record/mpich_choices.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fstream>
#include <string_view>
#include <vector>

namespace tasuki::mpi::shim {
namespace {

struct Variable {
  int index = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_enum enumeration = MPI_T_ENUM_NULL;
  std::string name;
  std::string description;
};

Variable described(int index) {
  Variable variable;
  variable.index = index;
  // MPICH describes algorithms in up to 2,000 letters.
  std::array<char, 256> name{};
  std::array<char, 8192> description{};
  int name_length = name.size();
  int description_length = description.size();
  int verbosity = 0;
  int bind = 0;
  int scope = 0;
  const int code = PMPI_T_cvar_get_info(index, name.data(), &name_length, &verbosity,
                                        &variable.type, &variable.enumeration, description.data(),
                                        &description_length, &bind, &scope);
  if (code != MPI_SUCCESS) return variable;
  variable.name = name.data();
  variable.description = description.data();
  return variable;
}

/// Open MPI's begin with the name of the framework, MPICH's all alike.
bool is_of_collectives(std::string_view name) {
  if (name == "coll" || name.starts_with("coll_")) return true;
  constexpr std::array<std::string_view, 3> of_mpich = {"_ALGORITHM", "COLLECTIVE", "_COLL_"};
  return name.starts_with("MPIR_CVAR_") &&
         std::any_of(of_mpich.begin(), of_mpich.end(), [&](std::string_view part) {
           return name.find(part) != std::string_view::npos;
         });
}

std::string name_in(MPI_T_enum enumeration, std::int64_t value) {
  std::array<char, 256> name{};
  int length = name.size();
  int count = 0;
  PMPI_T_enum_get_info(enumeration, &count, name.data(), &length);
  for (int i = 0; i < count; ++i) {
    int item = 0;
    length = name.size();
    PMPI_T_enum_get_item(enumeration, i, &item, name.data(), &length);
    if (item == value) return name.data();
  }
  return std::to_string(value);
}

/// The number under its name, where the library has given it one.
std::string text_of(const Variable& variable, std::int64_t value) {
  if (variable.enumeration != MPI_T_ENUM_NULL) return name_in(variable.enumeration, value);
  if (variable.name.ends_with("_ALGORITHM")) {
    const std::vector<std::string> names = record::choices_in(variable.description);
    const auto place = static_cast<std::size_t>(value);
    if (value >= 0 && place < names.size()) return names[place];
  }
  return std::to_string(value);
}

/// Before MPI_Init nobody tells the size of a type. A flag has fewer bytes than an int, and other
/// numbers are not negative: so all are read as int or as the longest.
std::string value_of(const Variable& variable) {
  if (variable.type == MPI_DOUBLE) return "";
  MPI_T_cvar_handle handle{};
  int count = 0;
  if (PMPI_T_cvar_handle_alloc(variable.index, nullptr, &handle, &count) != MPI_SUCCESS) return "";
  std::vector<char> read(static_cast<std::size_t>(std::max(count, 1)) * sizeof(std::int64_t) + 1);
  const int code = PMPI_T_cvar_read(handle, read.data());
  PMPI_T_cvar_handle_free(&handle);
  if (code != MPI_SUCCESS) return "";
  if (variable.type == MPI_CHAR) {
    std::string text(read.data());
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }
  int number = 0;
  std::int64_t long_number = 0;
  std::memcpy(&number, read.data(), sizeof number);
  std::memcpy(&long_number, read.data(), sizeof long_number);
  return text_of(variable, variable.type == MPI_INT ? number : long_number);
}

}  // namespace

void write_library_settings(const std::string& path) noexcept {
  try {
    int provided = 0;
    int count = 0;
    // Never finalized: Open MPI closes its components with the interface.
    if (PMPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS ||
        PMPI_T_cvar_get_num(&count) != MPI_SUCCESS) {
      return;
    }
    std::string lines;
    for (int index = 0; index < count; ++index) {
      const Variable variable = described(index);
      if (!is_of_collectives(variable.name)) continue;
      lines.append(variable.name).append(" ").append(value_of(variable)).append("\n");
    }
    if (!lines.empty()) std::ofstream(path, std::ios::binary) << lines;
  } catch (const std::exception&) {
    return;  // No memory: what is not written is not known.
  }
}

}  // namespace tasuki::mpi::shim
