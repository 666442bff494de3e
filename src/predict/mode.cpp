#include <tasuki/detail/predict/mode.hpp>

#include <fmt/format.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <array>

namespace tasuki::predict {

const char* name_of(Mode mode) noexcept {
  switch (mode) {
    case Mode::off:
      return "off";
    case Mode::guarded:
      return "guarded";
    case Mode::always:
      return "always";
    case Mode::fixed:
      return "fixed";
  }
  return "";
}

Mode mode_named(std::string_view name) {
  for (const Mode mode : std::array{Mode::off, Mode::guarded, Mode::always, Mode::fixed}) {
    if (name == name_of(mode)) return mode;
  }
  throw error(fmt::format("reading {}", base::setting::predict.name),
              fmt::format("{} is none of its values", name),
              "set it to off, guarded, always or fixed");
}

Mode wanted_mode(Mode otherwise) {
  const base::Setting& setting = base::setting::predict;
  return setting.is_set() ? mode_named(setting.text()) : otherwise;
}

}  // namespace tasuki::predict
