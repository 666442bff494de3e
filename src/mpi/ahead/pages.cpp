#include "mpi/ahead/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace tasuki::mpi::ahead {
namespace {

#ifndef MADV_POPULATE_WRITE
constexpr int MADV_POPULATE_WRITE = 23;  // Linux 5.14; older headers lack it.
#endif

std::uintptr_t page_bytes() noexcept {
  static const auto bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

bool is_there(void* page) noexcept {
  unsigned char residency = 0;
  return ::mincore(page, page_bytes(), &residency) == 0 && (residency & 1U) != 0;
}

}  // namespace

Pages::Pages(const void* buffer, std::int64_t bytes) noexcept {
  if (bytes < least_bytes) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(buffer);
  const std::uintptr_t page = page_bytes();
  next_ = (begin + page - 1) / page * page;
  end_ = (begin + static_cast<std::uintptr_t>(bytes)) / page * page;
}

std::int64_t Pages::touch_next() noexcept {
  if (is_empty()) return 0;
  auto* const page = reinterpret_cast<void*>(next_);
  // One page stands for all: programs that have used a buffer have used it from its beginning.
  const bool may_touch = was_checked_ || !is_there(page);
  was_checked_ = true;
  if (!may_touch || ::madvise(page, page_bytes(), MADV_POPULATE_WRITE) != 0) {
    end_ = next_;
    return 0;
  }
  next_ += page_bytes();
  return static_cast<std::int64_t>(page_bytes());
}

}  // namespace tasuki::mpi::ahead
