#include "mpi/collectives/shared_memory.hpp"

#include "mpi/wait/own_calls.hpp"
#include "transport/shm/job_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <tasuki/error.hpp>

#include <string>

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
  MPI_Comm node = MPI_COMM_NULL;
  if (PMPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) !=
      MPI_SUCCESS) {
    return agree(communicator, false);
  }
  int size = 0;
  int node_size = 0;
  PMPI_Comm_size(communicator, &size);
  PMPI_Comm_size(node, &node_size);
  PMPI_Comm_free(&node);
  return agree(communicator, size == node_size);
}

/// Where the other ranks of the node can open the file of rank 0.
struct FileAddress {
  pid_t process_id = 0;
  int descriptor = -1;
};

/// A file without a name, allocated now: a write into memory that is not there would end the
/// program by SIGBUS. Returns: its descriptor, -1 if there is no memory for it.
int create_file(std::size_t bytes) {
  int file = -1;
  try {
    file = transport::shm::create_job_file();
  } catch (const error&) {
    return -1;
  }
  if (::posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0) return file;
  ::close(file);
  return -1;
}

/// Rank 0 makes a file, the others open it.
int open_file(MPI_Comm communicator, int rank, std::size_t bytes) {
  FileAddress address;
  if (rank == 0) address = {::getpid(), create_file(bytes)};
  wait::bcast(reinterpret_cast<char*>(&address), sizeof address, communicator);
  int file = address.descriptor;
  if (rank != 0 && file >= 0) {
    const std::string path = fmt::format("/proc/{}/fd/{}", address.process_id, file);
    file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  }
  wait::barrier(communicator);  // Rank 0 closes its descriptor when it has mapped the file.
  return file;
}

}  // namespace

std::unique_ptr<SharedMemory> SharedMemory::make(MPI_Comm communicator, std::size_t common_bytes,
                                                 std::size_t heap_bytes) {
  if (!share_a_node(communicator)) return nullptr;
  std::unique_ptr<SharedMemory> memory(new SharedMemory);
  int size = 0;
  PMPI_Comm_rank(communicator, &memory->rank_);
  PMPI_Comm_size(communicator, &size);
  memory->common_bytes_ = whole_pages(common_bytes);
  memory->heap_bytes_ = whole_pages(heap_bytes);
  memory->peers_.resize(static_cast<std::size_t>(size));
  const std::size_t bytes =
      memory->common_bytes_ + memory->heap_bytes_ * static_cast<std::size_t>(size);
  const int file = open_file(communicator, memory->rank_, bytes);
  const bool is_mapped = memory->map_file(file, bytes);
  if (!agree(communicator, is_mapped)) return nullptr;
  memory->meet(communicator);
  return memory;
}

bool SharedMemory::map_file(int file, std::size_t bytes) {
  if (file < 0) return false;
  void* const mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (mapped == MAP_FAILED) return false;
  base_ = static_cast<std::byte*>(mapped);
  bytes_ = bytes;
  return true;
}

SharedMemory::~SharedMemory() {
  if (base_ != nullptr) ::munmap(base_, bytes_);
}

void SharedMemory::meet(MPI_Comm communicator) {
  transport::shm::permit_private_copy();  // As MPI libraries do that copy between processes.
  probe_word_ = probe_value;
  const Peer self{reinterpret_cast<std::uint64_t>(base_),
                  reinterpret_cast<std::uint64_t>(&probe_word_), ::getpid()};
  PMPI_Allgather(&self, sizeof self, MPI_BYTE, peers_.data(), sizeof self, MPI_BYTE, communicator);
  bool reads_all = true;
  for (const Peer& peer : peers_) {
    PrivateCopy& copy = copies_.emplace_back(static_cast<int>(peer.process_id),
                                             static_cast<std::uintptr_t>(peer.probe), probe_value);
    copy.probe();
    reads_all = reads_all && copy.is_permitted();
  }
  reads_peers_ = agree(communicator, reads_all);
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
