// The settings of the watch over the hosts of a job (docs/design/vanished-hosts.md).
//
// Called by transports. Thread-safety: constant.
#pragma once

#include <tasuki/detail/base/settings.hpp>

namespace tasuki::base::setting {

inline constexpr Setting peer_timeout{
    "TASUKI_PEER_TIMEOUT",
    SettingType::seconds,
    "30",
    "s",
    "Time within which the others end a job when one of its hosts gives no sign of life; 0: hosts "
    "are not watched.",
    {0, 86'400}};
inline constexpr Setting watched_job{
    "TASUKI_WATCHED_JOB",
    SettingType::text,
    "",
    "",
    "Random digits by which the watchers of `tasuki run --hosts` know the processes of the job.",
    {},
    launcher};

}  // namespace tasuki::base::setting
