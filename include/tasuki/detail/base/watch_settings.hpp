// The settings of the watch over the hosts of a job (docs/design/vanished-hosts.md), and of that of
// clients over their server.
//
// Called by transports and by clients of servers. Thread-safety: constant.
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
inline constexpr Setting server_timeout{
    "TASUKI_SERVER_TIMEOUT",
    SettingType::seconds,
    "60",
    "s",
    "Time after which a call fails whose server gives no sign of life; 0: clients wait for ever.",
    {0, 86'400}};

}  // namespace tasuki::base::setting
