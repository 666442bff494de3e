// Where a process of a node opens the memory file of another one.
//
// Ranks that MPI has started tell each other, as no launcher of Tasuki gave them a file.
// Thread-safety: any thread.
#pragma once

#include <cstdint>

namespace tasuki::transport::shm {

struct FileAddress {
  std::int64_t process_id = 0;
  std::int64_t descriptor = -1;  ///< In that process; negative: there is no file.
};

/// The same number for processes that can open each other's files: they share a kernel, a name
/// space of process numbers, and TASUKI_NODE_NAME.
std::uint64_t node_identity();

/// Requires: the process has this node's identity, and the descriptor is open there.
/// Returns: a descriptor of this process, or -1 and errno.
int open_file(const FileAddress& address);

}  // namespace tasuki::transport::shm
