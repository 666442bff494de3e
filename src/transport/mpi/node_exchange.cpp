#include "transport/mpi/node_exchange.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <tasuki/detail/base/build_id.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

#include "transport/mpi/library.hpp"

namespace tasuki::transport::mpi {
namespace {

/// FNV-1a (Fowler, Noll, Vo, 1991).
std::uint64_t hash_of(std::string_view text) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  }
  return hash;
}

/// Processes see each other's files under /proc if they share a kernel and a pid name space.
std::uint64_t own_node() {
  std::string boot_id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot_id;
  struct stat name_space {};
  if (::stat("/proc/self/ns/pid", &name_space) != 0) name_space.st_ino = 0;
  return hash_of(
      fmt::format("{}/{}/{}", boot_id, name_space.st_ino, base::setting::node_name.text()));
}

/// Where a rank's memory file can be opened by the others of its node.
struct FileAddress {
  std::int64_t pid = 0;
  std::int64_t descriptor = -1;
};

int open_file(const FileAddress& address) {
  if (address.descriptor < 0) return -1;
  const std::string path = fmt::format("/proc/{}/fd/{}", address.pid, address.descriptor);
  return ::open(path.c_str(), O_RDWR | O_CLOEXEC);
}

template <class T>
std::vector<T> gather_all(const Functions& functions, const Job& job, const T& own) {
  std::vector<T> all(static_cast<std::size_t>(job.size));
  check(functions, functions.allgather(job.communicator, &own, sizeof(T), all.data()),
        "starting the mpi transport");
  return all;
}

FileAddress create_file(bool is_wanted) {
  FileAddress address;
  if (!is_wanted) return address;
  try {
    address = {::getpid(), shm::create_job_file()};
  } catch (const error& failure) {
    base::report(failure.what());
  }
  return address;
}

}  // namespace

std::vector<Introduction> introduce(const Functions& functions, const Job& job) {
  std::vector<Introduction> all =
      gather_all(functions, job, Introduction{own_node(), base::main_build_id()});
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank].build == all[0].build) continue;
    throw error("starting the mpi transport",
                fmt::format("ranks of different builds: rank 0 runs build {:016x}, rank {} build "
                            "{:016x}",
                            all[0].build, rank, all[rank].build),
                "start the same program everywhere");
  }
  return all;
}

std::optional<shm::ShmNode::Place> share_node_memory(const Functions& functions, const Job& job,
                                                     const std::vector<Introduction>& all) {
  shm::ShmNode::Place place;
  place.job_size = job.size;
  const std::uint64_t own = all[static_cast<std::size_t>(job.rank)].node;
  for (int rank = 0; rank < job.size; ++rank) {
    if (all[static_cast<std::size_t>(rank)].node != own) continue;
    if (rank == job.rank) place.index = static_cast<int>(place.ranks.size());
    place.ranks.push_back(rank);
  }
  const bool is_wanted = place.ranks.size() > 1 && base::setting::node_shm.flag();
  const bool is_first = place.index == 0;
  const FileAddress created = create_file(is_wanted && is_first);
  const auto addresses = gather_all(functions, job, created);
  const FileAddress& shared = addresses[static_cast<std::size_t>(place.ranks.front())];
  place.descriptor = is_first    ? static_cast<int>(created.descriptor)
                     : is_wanted ? open_file(shared)
                                 : -1;
  const int failure = place.descriptor >= 0 ? 0 : errno;
  const auto opened = gather_all(functions, job, std::int64_t{place.descriptor >= 0});
  const bool all_opened = std::all_of(place.ranks.begin(), place.ranks.end(), [&](int rank) {
    return opened[static_cast<std::size_t>(rank)] != 0;
  });
  if (is_wanted && all_opened) return place;
  if (is_wanted && place.descriptor < 0) {
    base::report(
        fmt::format("the ranks of this node talk over MPI: the memory file of process {} "
                    "cannot be opened: {}",
                    shared.pid, std::strerror(failure)));
  }
  if (place.descriptor >= 0) ::close(place.descriptor);
  return std::nullopt;
}

}  // namespace tasuki::transport::mpi
