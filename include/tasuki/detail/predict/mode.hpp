// What is done with predictions: the values of TASUKI_PREDICT.
//
// Asked by whoever acts on predictions. Thread-safety: any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace tasuki::predict {

enum class Mode : std::uint8_t {
  off,      ///< Nothing.
  guarded,  ///< What has a measured gain.
  always,   ///< Everything, in every idle time, as in the paper of predictor.hpp.
  fixed,    ///< Waits spin, yield and sleep by fixed times; nothing is predicted.
};

/// As TASUKI_PREDICT names it.
const char* name_of(Mode mode) noexcept;

/// Throws tasuki::error naming the modes there are if there is none of this name.
Mode mode_named(std::string_view name);

/// What TASUKI_PREDICT says, `otherwise` where it is not set. Throws like mode_named.
Mode wanted_mode(Mode otherwise);

}  // namespace tasuki::predict
