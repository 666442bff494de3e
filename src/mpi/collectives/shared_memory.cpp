#include "mpi/collectives/shared_memory.hpp"

#include "mpi/wait/own_calls.hpp"
#include "transport/shm/file_address.hpp"
#include "transport/shm/job_file.hpp"
#include "transport/shm/random_word.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <tasuki/detail/base/file_size_limit.hpp>
#include <tasuki/error.hpp>

#include <array>
#include <cerrno>
#include <utility>

namespace tasuki::mpi::collectives {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::uint64_t probe_value = 0x7A6B5C4D3E2F1A0B;

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

/// Whether it holds on all ranks.
bool agree(MPI_Comm communicator, bool holds) {
  int word = holds ? 1 : 0;
  wait::allreduce(&word, MPI_MIN, communicator);
  return word == 1;
}

bool share_a_node(MPI_Comm communicator) {
  const std::uint64_t node = transport::shm::node_identity();
  std::array<std::uint64_t, 2> largest{node, ~node};
  wait::allreduce(largest, MPI_UINT64_T, MPI_MAX, communicator);
  return largest[0] == ~largest[1];
}

bool allocate(int file, std::size_t bytes) {
  int code = EINTR;
  while (code == EINTR) code = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
  return code == 0;
}

/// A file without a name, allocated now: a write into memory that is not there would end the
/// program by SIGBUS. Returns: its descriptor, -1 if there is no memory for it.
int create_file(std::size_t bytes) {
  int file = -1;
  if (bytes > base::file_size_limit_bytes()) return file;
  try {
    file = transport::shm::create_job_file();
  } catch (const error&) {
    return -1;
  }
  if (allocate(file, bytes)) return file;
  ::close(file);
  return -1;
}

/// What rank 0 tells the others of the file.
struct Invitation {
  transport::shm::FileAddress address;
  std::uint64_t token = 0;  ///< Stands in the file.
};

}  // namespace

std::unique_ptr<SharedMemory> SharedMemory::make(MPI_Comm communicator, std::size_t common_bytes,
                                                 std::size_t heap_bytes, bool ranks_sleep) {
  if (!share_a_node(communicator)) return nullptr;
  std::unique_ptr<SharedMemory> memory(new SharedMemory);
  PMPI_Comm_rank(communicator, &memory->rank_);
  PMPI_Comm_size(communicator, &memory->size_);
  memory->ranks_sleep_ = ranks_sleep;
  memory->common_bytes_ = whole_pages(common_bytes);
  memory->heap_bytes_ = whole_pages(heap_bytes);
  memory->bytes_ = memory->meeting_offset() +
                   whole_pages(sizeof(Meeting) + memory->peers_count() * sizeof(Peer));
  return memory->open(communicator) ? std::move(memory) : nullptr;
}

bool SharedMemory::open(MPI_Comm communicator) {
  Invitation invitation;
  int file = -1;
  if (rank_ == 0) {
    file = create_file(bytes_);
    invitation = {{::getpid(), file}, transport::shm::random_word()};
    if (map_file(file)) meeting()->token = invitation.token;
  }
  wait::bcast(invitation, communicator);
  bool is_open = base_ != nullptr;
  if (rank_ != 0) {
    file = transport::shm::open_file(invitation.address);
    // Nodes of one image may have the same identity.
    is_open = map_file(file) && meeting()->token == invitation.token;
  }
  if (is_open) introduce();
  const bool all_are_here = agree(communicator, is_open);
  if (file >= 0) ::close(file);  // The others have opened it.
  if (all_are_here) meet_peers();
  return all_are_here;
}

bool SharedMemory::map_file(int file) {
  struct stat status {};
  if (file < 0 || ::fstat(file, &status) != 0) return false;
  if (!S_ISREG(status.st_mode) || status.st_size < static_cast<off_t>(bytes_)) return false;
  void* const mapped = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) return false;
  base_ = static_cast<std::byte*>(mapped);
  return true;
}

SharedMemory::~SharedMemory() {
  if (base_ != nullptr) ::munmap(base_, bytes_);
}

void SharedMemory::introduce() {
  transport::shm::permit_private_copy();  // As MPI libraries do that copy between processes.
  probe_word_ = probe_value;
  meeting()->peers()[rank_] = {reinterpret_cast<std::uint64_t>(base_),
                               reinterpret_cast<std::uint64_t>(&probe_word_), ::getpid()};
}

void SharedMemory::meet_peers() {
  const Peer* const introduced = meeting()->peers();
  peers_.assign(introduced, introduced + size_);
  for (const Peer& peer : peers_) {
    PrivateCopy& copy = copies_.emplace_back(static_cast<int>(peer.process_id),
                                             static_cast<std::uintptr_t>(peer.probe), probe_value);
    copy.probe();
    reads_peers_ = reads_peers_ && copy.is_permitted();
  }
}

std::span<std::byte> SharedMemory::own_heap() const noexcept {
  return {base_ + common_bytes_ + heap_bytes_ * static_cast<std::size_t>(rank_), heap_bytes_};
}

std::byte* SharedMemory::map(int rank, std::uintptr_t address, std::size_t bytes) noexcept {
  const std::uint64_t offset = address - peers_[static_cast<std::size_t>(rank)].base;
  return offset <= bytes_ && bytes <= bytes_ - offset ? base_ + offset : nullptr;
}

bool SharedMemory::get_private(int rank, std::uintptr_t address, std::span<std::byte> data) {
  return copies_[static_cast<std::size_t>(rank)].read(address, data) == PrivateCopy::Outcome::done;
}

bool SharedMemory::put_private(int rank, std::uintptr_t address, std::span<const std::byte> data) {
  return copies_[static_cast<std::size_t>(rank)].write(address, data) == PrivateCopy::Outcome::done;
}

}  // namespace tasuki::mpi::collectives
