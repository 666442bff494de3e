#include "transport/shm/job_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace tasuki::transport::shm {
namespace {

constexpr std::uint64_t lines_apart = 5;  ///< Odd: rings of one reader start in different sets.

/// Where every rank asks for the job's memory. Where all get it, heaps have the same addresses on
/// all ranks, so that a remote write need not wait for an address to be computed. Far from where
/// systems put programs, their heaps and libraries (x86-64; aarch64 with 48 bits); several files in
/// one process ask for different places. Whoever does not get it has it elsewhere, as before.
void* wished_place(const struct stat& file) noexcept {
  constexpr std::uintptr_t first = 0x2000'0000'0000;
  constexpr std::uintptr_t distance = 0x0010'0000'0000;
  constexpr std::uintptr_t places_count = 256;
  return reinterpret_cast<void*>(first + file.st_ino % places_count * distance);
}

[[noreturn]] void fail(const char* happened, int failure, std::string remedy) {
  throw error("opening the job's memory", fmt::format("{}: {}", happened, std::strerror(failure)),
              std::move(remedy));
}

int create_in_devshm() {
  const int descriptor = ::open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (descriptor < 0) {
    fail("cannot create a file in /dev/shm", errno,
         fmt::format("set {}=memfd, or give this user room in /dev/shm",
                     base::setting::shm_backing.name));
  }
  return descriptor;
}

/// ftruncate, but what is beyond `ulimit -f` is the error EFBIG and not the end of the process.
int enlarge(int descriptor, std::size_t bytes) noexcept {
  struct sigaction ignored {};
  struct sigaction before {};
  ignored.sa_handler = SIG_IGN;
  ::sigaction(SIGXFSZ, &ignored, &before);
  const int result = ::ftruncate(descriptor, static_cast<off_t>(bytes));
  const int failure = errno;
  ::sigaction(SIGXFSZ, &before, nullptr);
  errno = failure;
  return result;
}

}  // namespace

int create_job_file() {
  const std::string backing = base::setting::shm_backing.text();
  if (backing == "devshm") return create_in_devshm();
  if (backing != "auto" && backing != "memfd") {
    throw error("opening the job's memory",
                fmt::format("{}={} is not known", base::setting::shm_backing.name, backing),
                "set it to auto, memfd or devshm");
  }
  const int descriptor = ::memfd_create("tasuki-job", MFD_CLOEXEC);
  if (descriptor >= 0) return descriptor;
  if (backing == "auto") return create_in_devshm();
  fail("cannot create a memory file", errno,
       fmt::format("set {}=devshm", base::setting::shm_backing.name));
}

JobFile::JobFile(int descriptor, const Layout& layout) : descriptor_(descriptor), layout_(layout) {
  const std::size_t bytes = layout_.total_bytes();
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0)
    fail("cannot examine the job's memory file", errno, "start the program with `tasuki run`");
  // Only ever enlarge: a rank with other settings must find the others' memory intact.
  if (static_cast<std::size_t>(status.st_size) < bytes && enlarge(descriptor_, bytes) != 0) {
    fail("cannot enlarge the job's memory file", errno,
         fmt::format("lower {} or raise the file size limit (ulimit -f)",
                     base::setting::heap_max_bytes.name));
  }
  const auto address_space = [&](int failure) {
    fail(
        fmt::format("no address space for {} bytes", bytes).c_str(), failure,
        fmt::format("lower {} or raise the limit (ulimit -v)", base::setting::heap_max_bytes.name));
  };
  // A little more than needed, so that heaps can begin at a huge page's boundary.
  void* const reserved = ::mmap(wished_place(status), bytes + huge_page_bytes, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) address_space(errno);
  reserved_ = static_cast<std::byte*>(reserved);
  const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(reserved_) % huge_page_bytes;
  base_ = reserved_ + (huge_page_bytes - misaligned) % huge_page_bytes;
  if (::mmap(base_, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
             descriptor_, 0) == MAP_FAILED) {
    const int failure = errno;
    ::munmap(reserved_, bytes + huge_page_bytes);
    address_space(failure);
  }
  // A core dump would otherwise walk the address space of all heaps; see GrowingHeap.
  ::madvise(heap(0), bytes - layout_.heap_offset(0), MADV_DONTDUMP);
}

JobFile::~JobFile() {
  ::munmap(reserved_, layout_.total_bytes() + huge_page_bytes);
  ::close(descriptor_);
}

int JobFile::commit(std::size_t offset, std::size_t bytes) noexcept {
  while (::fallocate(descriptor_, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes)) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

RingMemory JobFile::ring(int reader, int writer) const noexcept {
  return {at(layout_.ring_offset(reader, writer)), layout_.ring_bytes(),
          reinterpret_cast<RingConsumed*>(at(layout_.consumed_offset(reader, writer))),
          static_cast<std::uint64_t>(writer) * lines_apart};
}

std::span<std::atomic<std::uint64_t>> JobFile::openers(int reader) const noexcept {
  return {reinterpret_cast<std::atomic<std::uint64_t>*>(at(layout_.openers_offset(reader))),
          layout_.openers_words()};
}

}  // namespace tasuki::transport::shm
