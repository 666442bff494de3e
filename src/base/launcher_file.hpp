// Files without a name that `tasuki run` has made for the ranks of an MPI job on its machine.
//
// For the exit record and the waiting record. Thread-safety: as of the environment; once for each
// setting.
#pragma once

#include <tasuki/detail/base/settings.hpp>

namespace tasuki::base {

/// Opens the file that the setting names, as in "/proc/7/fd/5 1:23" (with its device and inode),
/// with `flags` as of open. Returns: its descriptor; -1 without such a file, because another
/// launcher has started the rank, or one on another machine. Programs that this process starts do
/// not find the variable.
int open_launcher_file(const Setting& setting, int flags);

}  // namespace tasuki::base
