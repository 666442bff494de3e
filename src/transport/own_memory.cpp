#include "transport/own_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include <tasuki/error.hpp>

#include <cerrno>

namespace tasuki::transport {
namespace {

constexpr std::size_t granule_bytes = 64 * 1024;

/// Copies between addresses of this process by means of the kernel, which notices addresses that
/// do not exist. Returns: false if the kernel forbids such copies.
bool copy_checked(const char* doing, int rank, decltype(&::process_vm_readv) copy,
                  std::uintptr_t local, std::uintptr_t remote, std::size_t bytes) {
  for (std::size_t copied = 0; copied < bytes;) {
    const iovec here{reinterpret_cast<void*>(local + copied), bytes - copied};
    const iovec there{reinterpret_cast<void*>(remote + copied), bytes - copied};
    const ssize_t step = copy(::getpid(), &here, 1, &there, 1, 0);
    if (step < 0 && errno != EFAULT) return false;
    if (step <= 0) {
      throw error(
          fmt::format("{} memory of a rank", doing),
          fmt::format("rank {} has no such memory of {} bytes at {:#x}", rank, bytes, remote),
          "check the global pointer and its length");
    }
    copied += static_cast<std::size_t>(step);
  }
  return true;
}

}  // namespace

OwnMemory::OwnMemory(int rank, std::size_t reserved_bytes) : owner_(rank) {
  void* reserved = ::mmap(nullptr, reserved_bytes, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) {
    throw error(
        "starting the transport",
        fmt::format("cannot reserve {} bytes of address space for the heap", reserved_bytes),
        "lower TASUKI_HEAP_MAX_BYTES");
  }
  // Between processes the kernel copies megabytes up to a tenth faster into large pages; where
  // there are none nothing changes.
  ::madvise(reserved, reserved_bytes, MADV_HUGEPAGE);
  segment_ = {static_cast<std::byte*>(reserved), reserved_bytes, 0};
}

OwnMemory::~OwnMemory() { ::munmap(segment_.base, segment_.reserved_bytes); }

bool OwnMemory::grow_heap(std::size_t bytes) noexcept {
  const std::size_t granules = (bytes + granule_bytes - 1) / granule_bytes;
  const std::size_t room = (segment_.reserved_bytes - segment_.committed_bytes) / granule_bytes;
  if (bytes > segment_.reserved_bytes || granules > room) return false;
  const std::size_t more = granules * granule_bytes;
  std::byte* begin = segment_.base + segment_.committed_bytes;
  if (::mprotect(begin, more, PROT_READ | PROT_WRITE) != 0) return false;
  segment_.committed_bytes += more;
  return true;
}

std::byte* OwnMemory::map(int rank, std::uintptr_t address, std::size_t bytes) noexcept {
  const HeapSegment* const heap = heap_of(rank);
  if (heap == nullptr) return nullptr;
  const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(heap->base);
  const bool is_inside = offset <= heap->committed_bytes && bytes <= heap->committed_bytes - offset;
  return is_inside ? heap->base + offset : nullptr;
}

bool OwnMemory::put_private(int rank, std::uintptr_t address, std::span<const std::byte> data) {
  const auto local = reinterpret_cast<std::uintptr_t>(data.data());
  return shares(rank) &&
         copy_checked("writing", rank, &::process_vm_writev, local, address, data.size());
}

bool OwnMemory::get_private(int rank, std::uintptr_t address, std::span<std::byte> data) {
  const auto local = reinterpret_cast<std::uintptr_t>(data.data());
  return shares(rank) &&
         copy_checked("reading", rank, &::process_vm_readv, local, address, data.size());
}

}  // namespace tasuki::transport
