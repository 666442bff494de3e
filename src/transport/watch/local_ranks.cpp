#include "transport/watch/local_ranks.hpp"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "transport/watch/watcher.hpp"

namespace tasuki::transport::watch {
namespace {

/// Gives who is connected the memory. Returns: has that been possible?
bool give_memory(int socket, int memory) noexcept {
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof memory)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof memory);
  std::memcpy(CMSG_DATA(header), &memory, sizeof memory);
  return ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

/// Who has connected.
struct Peer {
  bool is_own_user = false;
  int process = -1;  ///< A descriptor; -1: it cannot be seen from here.
};

Peer peer_of(int socket) noexcept {
  ucred credentials{};
  socklen_t length = sizeof credentials;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return {};
  if (credentials.uid != ::geteuid()) return {};
  const pid_t pid = credentials.pid;
  return {true, pid > 0 ? static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)) : -1};
}

bool is_readable(int descriptor) noexcept {
  pollfd event{descriptor, POLLIN, 0};
  return descriptor >= 0 && ::poll(&event, 1, 0) == 1;
}

}  // namespace

LocalRanks::LocalRanks(std::vector<int> ranks, int door, int memory)
    : door_(door), memory_(memory), ranks_(ranks.size()) {
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks_[i].rank = ranks[i];
}

std::size_t LocalRanks::add_events(std::span<pollfd> events) const noexcept {
  std::size_t count = 0;
  if (door_ >= 0) events[count++] = {door_, POLLIN, 0};
  for (const Rank& rank : ranks_) {
    if (rank.is_done || rank.socket < 0) continue;
    events[count++] = {rank.socket, POLLIN, 0};
    if (rank.process >= 0) events[count++] = {rank.process, POLLIN, 0};
  }
  return count;
}

void LocalRanks::take_events() noexcept {
  while (is_readable(door_)) admit();
  for (Rank& rank : ranks_) {
    if (rank.is_done || rank.socket < 0) continue;
    char word = 0;
    const ssize_t received = ::recv(rank.socket, &word, 1, MSG_DONTWAIT);
    const bool is_there = received < 0 && (errno == EAGAIN || errno == EINTR);
    if (!is_there || is_readable(rank.process)) finish(rank);
  }
}

void LocalRanks::admit() noexcept {
  const int socket = ::accept4(door_, nullptr, nullptr, SOCK_CLOEXEC);
  if (socket < 0) return;
  const Peer peer = peer_of(socket);
  Greeting greeting;
  const timeval patience{1, 0};  // It has greeted before it was let in.
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const bool greets = peer.is_own_user &&
                      ::recv(socket, &greeting, sizeof greeting, MSG_WAITALL) == sizeof greeting;
  const auto found = std::find_if(ranks_.begin(), ranks_.end(), [&](const Rank& rank) {
    return greets && rank.rank == greeting.rank && rank.socket < 0;
  });
  if (found != ranks_.end() && give_memory(socket, memory_)) {
    found->socket = socket;
    found->process = peer.process;
    return;
  }
  ::close(socket);
  if (peer.process >= 0) ::close(peer.process);
}

void LocalRanks::finish(Rank& rank) noexcept {
  rank.is_done = true;
  ::close(rank.socket);
  if (rank.process >= 0) ::close(rank.process);
}

void LocalRanks::close_door() noexcept {
  if (door_ < 0) return;
  ::close(std::exchange(door_, -1));
  for (Rank& rank : ranks_) rank.is_done |= rank.socket < 0;
}

bool LocalRanks::all_done() const noexcept {
  return std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.is_done; });
}

void LocalRanks::kill_left(void (*on_killed)(void* context, int rank), void* context) noexcept {
  for (Rank& rank : ranks_) {
    if (rank.is_done || rank.process < 0) continue;
    on_killed(context, rank.rank);
    ::syscall(SYS_pidfd_send_signal, rank.process, SIGKILL, nullptr, 0);
  }
}

}  // namespace tasuki::transport::watch
