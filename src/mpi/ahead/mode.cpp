#include "mpi/ahead/mode.hpp"

#include <tasuki/detail/base/settings.hpp>

namespace tasuki::mpi::ahead {

Mode wanted_mode() {
  const base::Setting& setting = base::setting::predict;
  return setting.is_set() ? predict::mode_named(setting.text()) : Mode::off;
}

}  // namespace tasuki::mpi::ahead
