// The settings of a launcher: how it reaches other hosts, and by which it tells ranks where they
// find each other.
//
// Called by transports; `tasuki run` reads its own from the environment. Thread-safety: constant.
#pragma once

#include <tasuki/detail/base/settings.hpp>

namespace tasuki::base::setting {

inline constexpr Setting rsh{
    "TASUKI_RSH", SettingType::text, "ssh", "",
    "Command by which tasuki run starts others on a host, as in: COMMAND HOST PROGRAM; --rsh is "
    "before it."};
inline constexpr Setting wireup{
    "TASUKI_WIREUP",
    SettingType::text,
    "",
    "",
    "HOST:PORT where the launcher joins the ranks of the ucx transport, a space, the job's key.",
    {},
    launcher};
inline constexpr Setting waiting_record{
    "TASUKI_WAITING_RECORD",
    SettingType::text,
    "",
    "",
    "File in which ranks under mpiexec tell what they wait for, a space, its DEVICE:INODE.",
    {},
    launcher};

}  // namespace tasuki::base::setting
