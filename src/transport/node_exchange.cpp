#include "transport/node_exchange.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <tasuki/detail/base/job_programs.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "transport/shm/file_address.hpp"

namespace tasuki::transport {
namespace {

using shm::FileAddress;

template <class T>
std::vector<T> gather_all(const JobExchange& job, const T& own) {
  std::vector<T> all(static_cast<std::size_t>(job.size));
  job.allgather(&own, sizeof(T), all.data());
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

std::vector<base::NodeGroup> groups_in(const std::vector<Introduction>& all) {
  std::vector<base::NodeGroup> groups;
  groups.reserve(all.size());
  for (const Introduction& each : all) groups.push_back(each.node_group);
  return groups;
}

}  // namespace

std::vector<Introduction> introduce(const JobExchange& job) {
  std::vector<Introduction> all = gather_all(
      job, Introduction{shm::node_identity(), base::own_program(), base::own_node_group()});
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (base::join(all[rank].program, all[0].program)) continue;
    throw error(job.operation,
                fmt::format("ranks of different builds: rank 0 runs build {:016x}, rank {} build "
                            "{:016x}",
                            all[0].program.build, rank, all[rank].program.build),
                base::other_programs_remedy);
  }
  base::check_node_groups(groups_in(all), job.allgather);
  return all;
}

std::vector<int> node_numbers_of(const std::vector<Introduction>& all) {
  std::map<std::uint64_t, int> numbers;
  std::vector<int> nodes;
  nodes.reserve(all.size());  // They stay; the account of memory counts no room to grow.
  for (const Introduction& each : all) {
    nodes.push_back(numbers.emplace(each.node, static_cast<int>(numbers.size())).first->second);
  }
  if (numbers.size() == 1) nodes.clear();
  return nodes;
}

std::vector<int> node_groups_of(const std::vector<Introduction>& all) {
  return base::node_group_numbers(groups_in(all));
}

std::optional<shm::ShmNode::Place> share_node_memory(const JobExchange& job,
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
  const auto addresses = gather_all(job, created);
  const FileAddress& shared = addresses[static_cast<std::size_t>(place.ranks.front())];
  place.descriptor = is_first    ? static_cast<int>(created.descriptor)
                     : is_wanted ? shm::open_file(shared)
                                 : -1;
  const int failure = place.descriptor >= 0 ? 0 : errno;
  const auto opened = gather_all(job, std::int64_t{place.descriptor >= 0});
  const bool all_opened = std::all_of(place.ranks.begin(), place.ranks.end(), [&](int rank) {
    return opened[static_cast<std::size_t>(rank)] != 0;
  });
  if (is_wanted && all_opened) return place;
  if (is_wanted && place.descriptor < 0) {
    base::report(
        fmt::format("the ranks of this node talk over {}: the memory file of process {} "
                    "cannot be opened: {}",
                    job.network, shared.process_id, std::strerror(failure)));
  }
  if (place.descriptor >= 0) ::close(place.descriptor);
  return std::nullopt;
}

}  // namespace tasuki::transport
