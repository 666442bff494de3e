// What a launcher, `tasuki run` or another, has left for this process: the job's memory file.
//
// Used by the shm transport, once. How ranks start is in docs/design/launch.md.
// Thread-safety: none; changes the environment.
#pragma once

#include <string>

namespace tasuki::transport::shm {

/// DEVICE:INODE of the file, as in TASUKI_JOB_FILE. Throws tasuki::error: it is not open.
std::string identity_of(int descriptor);

/// Takes over the memory file that TASUKI_JOB_FD names, and ends with its launcher from now on. The
/// file is closed on exec, and what names it leaves the environment: a program that this process
/// starts is a job of its own.
/// Returns: its descriptor. Throws tasuki::error, before anything is changed: the descriptor is not
/// open or another file's; the launcher is gone.
int take_launched_job_file();

}  // namespace tasuki::transport::shm
