// Copies between this process's memory and private memory of another process of this machine
// (process_vm_readv, process_vm_writev), where the kernel permits it.
//
// Used by the shm node for bulk transfers and for puts and gets of private memory.
// Thread-safety: one thread per object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tasuki::transport::shm {

class PrivateCopy {
 public:
  enum class Outcome {
    done,
    forbidden,    ///< Nothing was copied; this will not change.
    bad_address,  ///< The address does not exist there; a part may have been copied.
  };

  PrivateCopy() = default;
  /// Tries to read the peer's `probe_value` at its `probe_address` and to write it back.
  PrivateCopy(int pid, std::uintptr_t probe_address, std::uint64_t probe_value) noexcept;

  bool can_read() const noexcept { return can_read_; }
  bool can_write() const noexcept { return can_write_; }

  Outcome read(std::uintptr_t address, std::span<std::byte> into) noexcept;
  Outcome write(std::uintptr_t address, std::span<const std::byte> from) noexcept;

 private:
  int pid_ = 0;
  bool can_read_ = false;
  bool can_write_ = false;
};

/// Lets processes of this user copy from and to this one where the Yama security module would
/// limit that to its parents.
void permit_private_copy() noexcept;

}  // namespace tasuki::transport::shm
