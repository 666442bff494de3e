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

  PrivateCopy() = default;  ///< Forbidden.
  /// Holds to be permitted until it is tried. The process has `probe_value` at `probe_address`.
  PrivateCopy(int pid, std::uintptr_t probe_address, std::uint64_t probe_value) noexcept
      : pid_(pid), probe_address_(probe_address), probe_value_(probe_value), is_permitted_(true) {}

  bool is_permitted() const noexcept { return is_permitted_; }
  void forbid() noexcept { is_permitted_ = false; }
  /// Tries to read the probe value and to write it back, unless it was tried. The first copy does
  /// so too.
  void probe() noexcept;

  Outcome read(std::uintptr_t address, std::span<std::byte> into) noexcept;
  Outcome write(std::uintptr_t address, std::span<const std::byte> from) noexcept;

 private:
  Outcome note(Outcome outcome) noexcept;

  int pid_ = 0;
  std::uintptr_t probe_address_ = 0;
  std::uint64_t probe_value_ = 0;
  bool is_tried_ = false;
  bool is_permitted_ = false;  ///< The kernel asks the same of a reader and of a writer.
};

/// Lets processes of this user copy from and to this one where the Yama security module would
/// limit that to its parents. Returns: false if the kernel refuses whoever is not privileged.
bool permit_private_copy() noexcept;

}  // namespace tasuki::transport::shm
