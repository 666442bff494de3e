#include "transport/watch/host_watch.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/watch_settings.hpp>
#include <tasuki/detail/transport/vanished_hosts.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <thread>
#include <utility>

#include "transport/watch/watcher.hpp"

namespace tasuki::transport {
namespace {

std::atomic<const VanishedHosts*> told{nullptr};

}  // namespace

const VanishedHosts* vanished_hosts() noexcept {
  const VanishedHosts* const hosts = told.load(std::memory_order_acquire);
  if (hosts == nullptr || hosts->is_written.load(std::memory_order_acquire) == 0) return nullptr;
  return hosts;
}

}  // namespace tasuki::transport

namespace tasuki::transport::watch {
namespace {

constexpr int answer_within_s = 10;

/// The nodes of the job in the order of their first ranks.
struct Nodes {
  std::vector<int> of_ranks;
  std::vector<int> first_ranks;
};

Nodes nodes_of(const std::vector<Introduction>& all) {
  Nodes nodes;
  std::map<std::uint64_t, int> known;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const auto [found, is_new] =
        known.try_emplace(all[rank].node, static_cast<int>(nodes.first_ranks.size()));
    if (is_new) nodes.first_ranks.push_back(static_cast<int>(rank));
    nodes.of_ranks.push_back(found->second);
  }
  return nodes;
}

/// The memory that the watcher gives; nullptr and errno if it gives none.
const VanishedHosts* receive_memory(int socket) {
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t received = -1;
  do {
    received = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (received != 1 || header == nullptr || header->cmsg_type != SCM_RIGHTS) {
    if (received == 0) errno = ECONNRESET;
    return nullptr;
  }
  int memory = -1;
  std::memcpy(&memory, CMSG_DATA(header), sizeof memory);
  void* const mapped = ::mmap(nullptr, sizeof(VanishedHosts), PROT_READ, MAP_SHARED, memory, 0);
  ::close(memory);
  return mapped == MAP_FAILED ? nullptr : static_cast<const VanishedHosts*>(mapped);
}

/// Returns: the socket to the watcher, or -1 and errno. Sets `told`.
int ask_watcher(const NodeCard& card, int rank) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  const socklen_t length = door_address(card, address);
  const Greeting greeting{rank};
  const timeval patience{answer_within_s, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), length) == 0 &&
      ::send(socket, &greeting, sizeof greeting, MSG_NOSIGNAL) == sizeof greeting) {
    if (const VanishedHosts* const memory = receive_memory(socket)) {
      told.store(memory, std::memory_order_release);
      return socket;
    }
  }
  const int failure = errno;
  if (socket >= 0) ::close(socket);
  errno = failure;
  return -1;
}

void report_unwatched(const NodeCard& card, const char* why) {
  base::report(fmt::format("host {} is not watched: {}. If a host vanishes, this rank waits for it",
                           card.host.data(), why));
}

/// Makes the watcher of the node whose first rank this is.
void make_watcher(const NodeCard& card, WatchPlan& plan) {
  if (const int failure = start_watcher(plan)) report_unwatched(card, std::strerror(failure));
}

}  // namespace

void HostWatch::start(const JobExchange& job, const std::vector<Introduction>& all) {
  Nodes nodes = nodes_of(all);
  const std::size_t nodes_count = nodes.first_ranks.size();
  if (nodes_count < 2) return;
  const int own_node = nodes.of_ranks[static_cast<std::size_t>(job.rank)];
  const bool is_first = nodes.first_ranks[static_cast<std::size_t>(own_node)] == job.rank;
  const double time_limit_s = base::setting::peer_timeout.seconds();
  NodeCard own{};
  WatchPlan plan;
  if (is_first && time_limit_s > 0) {
    own = new_card();
    try {
      plan.sockets = open_sockets(
          own,
          static_cast<int>(std::count(nodes.of_ranks.begin(), nodes.of_ranks.end(), own_node)));
    } catch (const error& failure) {
      base::report(failure.what());
    }
  }
  std::vector<NodeCard> cards(all.size());
  job.allgather(&own, sizeof own, cards.data());
  for (const int rank : nodes.first_ranks) {
    plan.nodes.push_back(cards[static_cast<std::size_t>(rank)]);
  }
  // Without one of them nobody is watched: the ring has a gap, or the time limit is 0 there.
  const bool all_watch = std::all_of(plan.nodes.begin(), plan.nodes.end(),
                                     [](const NodeCard& card) { return card.port != 0; });
  const NodeCard& node = plan.nodes[static_cast<std::size_t>(own_node)];
  if (all_watch && is_first) {
    plan.own_node = own_node;
    plan.node_of_ranks = std::move(nodes.of_ranks);
    plan.time_limit_ns = static_cast<std::int64_t>(time_limit_s * 1e9);
    make_watcher(node, plan);
  }
  close_sockets(plan.sockets);
  if (!all_watch) return;
  socket_ = ask_watcher(node, job.rank);
  if (socket_ < 0) report_unwatched(node, std::strerror(errno));
}

void HostWatch::finish() noexcept {
  if (socket_ < 0) return;
  told.store(nullptr, std::memory_order_release);
  [[maybe_unused]] const ssize_t sent = ::send(socket_, &finished_word, 1, MSG_NOSIGNAL);
  ::close(std::exchange(socket_, -1));
}

bool HostWatch::await_verdict() noexcept {
  const double most_s = base::setting::peer_timeout.seconds() + verdict_late_s;
  const std::int64_t give_up_ns = base::now_ns() + static_cast<std::int64_t>(most_s * 1e9);
  while (told.load(std::memory_order_acquire) != nullptr && base::now_ns() < give_up_ns) {
    if (vanished_hosts() != nullptr) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace tasuki::transport::watch
