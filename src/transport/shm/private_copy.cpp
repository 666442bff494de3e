#include "transport/shm/private_copy.hpp"

#include <sys/prctl.h>
#include <sys/uio.h>

#include <cerrno>
#include <utility>

namespace tasuki::transport::shm {
namespace {

using Call = ssize_t (*)(pid_t, const iovec*, unsigned long, const iovec*, unsigned long,
                         unsigned long);

/// One transfer; the kernel moves at most 2 GiB less a page at once.
PrivateCopy::Outcome transfer(Call call, int pid, std::byte* here, std::uintptr_t there,
                              std::size_t bytes) noexcept {
  while (bytes > 0) {
    const iovec local{here, bytes};
    const iovec remote{reinterpret_cast<void*>(there), bytes};
    const ssize_t moved = call(pid, &local, 1, &remote, 1, 0);
    if (moved <= 0) {
      return moved < 0 && errno != EFAULT ? PrivateCopy::Outcome::forbidden
                                          : PrivateCopy::Outcome::bad_address;
    }
    here += moved;
    there += static_cast<std::size_t>(moved);
    bytes -= static_cast<std::size_t>(moved);
  }
  return PrivateCopy::Outcome::done;
}

}  // namespace

void PrivateCopy::probe() noexcept {
  if (std::exchange(is_tried_, true)) return;
  std::uint64_t value = 0;
  const std::span word(&value, 1);
  // The value tells that the pid names the same process here as where it was published.
  is_permitted_ = read(probe_address_, std::as_writable_bytes(word)) == Outcome::done &&
                  value == probe_value_ &&
                  write(probe_address_, std::as_bytes(word)) == Outcome::done;
}

/// A kernel that has no memory just now may have some for the next copy.
PrivateCopy::Outcome PrivateCopy::note(Outcome outcome) noexcept {
  if (outcome == Outcome::forbidden && errno != ENOMEM) is_permitted_ = false;
  return outcome;
}

PrivateCopy::Outcome PrivateCopy::read(std::uintptr_t address, std::span<std::byte> into) noexcept {
  probe();
  if (!is_permitted_) return Outcome::forbidden;
  return note(transfer(process_vm_readv, pid_, into.data(), address, into.size()));
}

PrivateCopy::Outcome PrivateCopy::write(std::uintptr_t address,
                                        std::span<const std::byte> from) noexcept {
  probe();
  if (!is_permitted_) return Outcome::forbidden;
  // The kernel only reads here: the cast is what its interface asks for.
  return note(
      transfer(process_vm_writev, pid_, const_cast<std::byte*>(from.data()), address, from.size()));
}

bool permit_private_copy() noexcept {
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  return ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1;
}

}  // namespace tasuki::transport::shm
