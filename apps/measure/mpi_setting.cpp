#include "measure/mpi_setting.hpp"

#include <fmt/format.h>
#include <tasuki/detail/mpi/record/mpich_choices.hpp>
#include <tasuki/error.hpp>

#include <array>
#include <map>

namespace tasuki::measure {
namespace {

void start_tools_interface() {
  static const int started = [] {
    int provided = 0;
    return MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  }();
  if (started != MPI_SUCCESS) {
    throw error("asking MPI for its settings", "its tools interface does not start",
                "use an MPI library with MPI_T");
  }
}

std::vector<MpiChoice> enumerated(MPI_T_enum enumeration) {
  int count = 0;
  std::array<char, 256> name{};
  int length = name.size();
  MPI_T_enum_get_info(enumeration, &count, name.data(), &length);
  std::vector<MpiChoice> choices;
  for (int i = 0; i < count; ++i) {
    int value = 0;
    length = name.size();
    MPI_T_enum_get_item(enumeration, i, &value, name.data(), &length);
    choices.push_back({name.data(), value});
  }
  return choices;
}

std::vector<MpiChoice> described(const char* description) {
  std::vector<MpiChoice> choices;
  for (const std::string& name : mpi::record::choices_in(description)) {
    choices.push_back({name, static_cast<int>(choices.size())});
  }
  return choices;
}

}  // namespace

const MpiSetting* MpiSetting::find(const std::string& name) {
  // Never destroyed, and their handles never freed: at the end of the program MPI is gone.
  static auto& known = *new std::map<std::string, std::optional<MpiSetting>>;
  const auto place = known.lower_bound(name);
  const auto& setting = place != known.end() && place->first == name
                            ? place->second
                            : known.emplace_hint(place, name, ask(name))->second;
  return setting.has_value() ? &*setting : nullptr;
}

std::optional<MpiSetting> MpiSetting::ask(const std::string& name) {
  start_tools_interface();
  int index = 0;
  if (MPI_T_cvar_get_index(name.c_str(), &index) != MPI_SUCCESS) return std::nullopt;
  std::array<char, 8192> description{};
  int length = description.size();
  int verbosity = 0;
  int bind = 0;
  int scope = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_enum enumeration = MPI_T_ENUM_NULL;
  MPI_T_cvar_get_info(index, nullptr, nullptr, &verbosity, &type, &enumeration, description.data(),
                      &length, &bind, &scope);
  if (type != MPI_INT) return std::nullopt;
  MpiSetting setting;
  setting.name_ = name;
  int count = 0;
  if (MPI_T_cvar_handle_alloc(index, nullptr, &setting.handle_, &count) != MPI_SUCCESS ||
      count != 1) {
    return std::nullopt;
  }
  setting.choices_ =
      enumeration == MPI_T_ENUM_NULL ? described(description.data()) : enumerated(enumeration);
  return setting;
}

int MpiSetting::read() const {
  int value = 0;
  MPI_T_cvar_read(handle_, &value);
  return value;
}

bool MpiSetting::write(int value) const noexcept {
  return MPI_T_cvar_write(handle_, &value) == MPI_SUCCESS;
}

void ForcedSettings::force(const MpiSetting& setting, int value) {
  const int before = setting.read();
  if (!setting.write(value)) {
    throw error("setting MPI's " + setting.name(), fmt::format("the library refuses {}", value),
                "use a library whose settings can be changed by MPI_T");
  }
  changed_.emplace_back(&setting, before);
}

void ForcedSettings::restore() noexcept {
  for (const auto& [setting, before] : changed_) setting->write(before);
  changed_.clear();
}

}  // namespace tasuki::measure
