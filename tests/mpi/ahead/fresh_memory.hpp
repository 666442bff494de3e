// Memory that nobody has written to, in pages of the usual size.
//
// The tests of what is done ahead use it as receive buffers. Thread-safety: none.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

namespace tasuki::mpi::ahead {

class FreshMemory {
 public:
  explicit FreshMemory(std::size_t bytes, int protection = PROT_READ | PROT_WRITE)
      : bytes_(bytes),
        begin_(static_cast<char*>(
            ::mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    ::madvise(begin_, bytes_, MADV_NOHUGEPAGE);
  }
  ~FreshMemory() { ::munmap(begin_, bytes_); }
  FreshMemory(const FreshMemory&) = delete;
  FreshMemory& operator=(const FreshMemory&) = delete;

  char* begin() const { return begin_; }
  bool is_there(std::size_t offset) const {
    const auto page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    unsigned char residency = 0;
    ::mincore(begin_ + offset / page_bytes * page_bytes, page_bytes, &residency);
    return (residency & 1U) != 0;
  }

 private:
  std::size_t bytes_;
  char* begin_;
};

}  // namespace tasuki::mpi::ahead
