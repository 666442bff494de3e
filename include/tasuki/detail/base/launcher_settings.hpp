// The settings by which a launcher tells ranks where they find each other.
//
// Called by transports. Thread-safety: constant.
#pragma once

#include <tasuki/detail/base/settings.hpp>

namespace tasuki::base::setting {

inline constexpr Setting wireup{
    "TASUKI_WIREUP",
    SettingType::text,
    "",
    "",
    "HOST:PORT where the launcher joins the ranks of the ucx transport, a space, the job's key.",
    {},
    launcher};

}  // namespace tasuki::base::setting
