#include "mpi/ahead/mode.hpp"

#include <fmt/format.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <array>
#include <string>

namespace tasuki::mpi::ahead {

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

Mode wanted_mode() {
  const std::string wanted = base::setting::predict.text();
  if (wanted.empty()) return Mode::off;
  for (const Mode mode : std::array{Mode::off, Mode::guarded, Mode::always, Mode::fixed}) {
    if (wanted == name_of(mode)) return mode;
  }
  throw error(fmt::format("reading {}", base::setting::predict.name),
              fmt::format("{} is none of its values", wanted),
              "set it to off, guarded, always or fixed");
}

}  // namespace tasuki::mpi::ahead
