#include "transport/watch/watcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/fixed_text.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "transport/watch/local_ranks.hpp"
#include "transport/watch/verdict_text.hpp"

namespace tasuki::transport::watch {
namespace {

constexpr std::int64_t millisecond_ns = 1'000'000;
constexpr std::int64_t second_ns = 1000 * millisecond_ns;
/// A rank that has started and does not ask so long has ended.
constexpr std::int64_t door_open_ns = 30 * second_ns;
/// Ranks that poll print and end within milliseconds; an MPI may take longer to end.
constexpr std::int64_t ending_time_ns = 2 * second_ns;

int open_door(const NodeCard& card, int ranks_count) {
  const int socket = above_standard(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  const socklen_t length = door_address(card, address);
  if (socket < 0 || ::bind(socket, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
      ::listen(socket, ranks_count) != 0) {
    fail_to_watch("no Unix socket");
  }
  return socket;
}

int open_memory() {
  const int memory = above_standard(::memfd_create("tasuki-vanished-hosts", MFD_CLOEXEC));
  if (memory < 0 || ::ftruncate(memory, sizeof(VanishedHosts)) != 0) {
    fail_to_watch("no shared memory");
  }
  return memory;
}

/// The process. All is made before it begins, so that it needs no memory.
class Watcher {
 public:
  explicit Watcher(const WatchPlan& plan);
  ~Watcher() { ::munmap(told_, sizeof *told_); }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  /// Never returns.
  [[noreturn]] void run() noexcept;

 private:
  static std::vector<int> ranks_here(const WatchPlan& plan);
  void become_process() noexcept;
  void wait(std::int64_t time_ns) noexcept;
  void watch() noexcept;
  void receive() noexcept;
  void name_unheard() noexcept;
  void end_ranks() noexcept;
  void leave() noexcept;
  static void send(void* self, const Datagram& datagram);

  const WatchPlan& plan_;
  LocalRanks ranks_;
  Heartbeats heartbeats_;
  VanishedHosts* told_;
  std::vector<pollfd> events_;
};

Watcher::Watcher(const WatchPlan& plan)
    : plan_(plan),
      ranks_(ranks_here(plan), plan.sockets.door, plan.sockets.memory),
      heartbeats_(plan.own_node, static_cast<int>(plan.nodes.size()), plan.nodes.front().key,
                  plan.time_limit_ns, &send, this),
      events_(ranks_.polled_most_count() + 1) {
  void* const mapped = ::mmap(nullptr, sizeof(VanishedHosts), PROT_READ | PROT_WRITE, MAP_SHARED,
                              plan.sockets.memory, 0);
  if (mapped == MAP_FAILED) fail_to_watch("no shared memory");
  told_ = static_cast<VanishedHosts*>(mapped);
  told_->speaker = ranks_here(plan).front();
}

std::vector<int> Watcher::ranks_here(const WatchPlan& plan) {
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < plan.node_of_ranks.size(); ++rank) {
    if (plan.node_of_ranks[rank] == plan.own_node) ranks.push_back(static_cast<int>(rank));
  }
  return ranks;
}

void Watcher::run() noexcept {
  become_process();
  watch();
  if (heartbeats_.has_verdict() && !ranks_.all_done()) {
    end_ranks();
  } else {
    leave();
  }
  for (;;) ::syscall(SYS_exit_group, 0);
}

/// Closes what the rank has open, and takes back what it has told the kernel.
void Watcher::become_process() noexcept {
  ::prctl(PR_SET_NAME, watcher_name, 0, 0, 0);
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  ::signal(SIGPIPE, SIG_IGN);  // Ranks are to be ended even if nobody reads.
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // A process group of its own, because that of the rank may be stopped, as from a terminal.
  ::setsid();
  [[maybe_unused]] const int left_folder = ::chdir("/");
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  const Sockets& kept = plan_.sockets;
  unsigned begin = STDERR_FILENO + 1;
  std::array kept_in_order{static_cast<unsigned>(kept.network.socket),
                           static_cast<unsigned>(kept.door), static_cast<unsigned>(kept.memory)};
  std::sort(kept_in_order.begin(), kept_in_order.end());
  for (const unsigned descriptor : kept_in_order) {
    if (descriptor > begin) ::syscall(SYS_close_range, begin, descriptor - 1, 0);
    begin = descriptor + 1;
  }
  ::syscall(SYS_close_range, begin, ~0U, 0);
}

void Watcher::wait(std::int64_t time_ns) noexcept {
  std::size_t count = ranks_.add_events(events_);
  events_[count++] = {plan_.sockets.network.socket, POLLIN, 0};
  ::poll(events_.data(), count, static_cast<int>(time_ns / millisecond_ns) + 1);
  receive();
  ranks_.take_events();
}

void Watcher::watch() noexcept {
  const std::int64_t start_ns = base::now_ns();
  while (!ranks_.all_done() && !heartbeats_.has_verdict()) {
    const std::int64_t now_ns = base::now_ns();
    if (now_ns - start_ns >= door_open_ns) ranks_.close_door();
    heartbeats_.on_time(now_ns);
    name_unheard();
    wait(heartbeats_.interval_ns() / 2);
  }
}

void Watcher::receive() noexcept { receive_datagrams(plan_.sockets.network, heartbeats_); }

void Watcher::send(void* self, const Datagram& datagram) {
  const WatchPlan& plan = static_cast<const Watcher*>(self)->plan_;
  send_datagram(plan.sockets.network, plan.nodes[static_cast<std::size_t>(datagram.to)], datagram);
}

void Watcher::name_unheard() noexcept {
  const int node = heartbeats_.take_unheard(base::now_ns());
  if (node < 0) return;
  base::FixedText text;
  text << "tasuki: ";
  append_unheard(text, plan_.nodes[static_cast<std::size_t>(plan_.own_node)],
                 plan_.nodes[static_cast<std::size_t>(node)]);
  text << "\n";
  text.write_to_standard_error();
}

/// Tells the ranks, which print what they wait for; ends those that do not end.
void Watcher::end_ranks() noexcept {
  write_verdict(plan_, heartbeats_, *told_);
  const std::int64_t give_up_ns = base::now_ns() + ending_time_ns;
  for (std::int64_t now_ns = base::now_ns(); now_ns < give_up_ns; now_ns = base::now_ns()) {
    heartbeats_.on_time(now_ns);
    wait(std::min(heartbeats_.interval_ns() / 2, give_up_ns - now_ns));
    if (ranks_.all_done()) return;
  }
  ranks_.kill_left(
      [](void* self, int rank) {
        const VanishedHosts& told = *static_cast<const Watcher*>(self)->told_;
        base::FixedText text;
        text << "tasuki: rank " << static_cast<std::size_t>(rank) << ": " << told.what_happened()
             << ". This rank is ended by SIGKILL: it computes, waits inside MPI, or is stopped\n";
        text.write_to_standard_error();
      },
      this);
}

/// The neighbours are not to wait for this node.
void Watcher::leave() noexcept {
  // Who reads what ranks print waits until all have closed it.
  ::dup2(STDOUT_FILENO, STDERR_FILENO);
  take_leave(plan_.sockets.network, heartbeats_);
}

}  // namespace

socklen_t door_address(const NodeCard& card, sockaddr_un& address) noexcept {
  address.sun_family = AF_UNIX;
  // The first byte of the path is 0: a name that lies in no folder.
  std::memcpy(address.sun_path + 1, card.door.data(), card.door.size());
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + card.door.size());
}

Sockets open_sockets(NodeCard& card, int ranks_count) {
  Sockets sockets;
  try {
    sockets.door = open_door(card, ranks_count);
    sockets.memory = open_memory();
    open_network(card, sockets.network);
  } catch (const error&) {
    close_sockets(sockets);
    throw;
  }
  return sockets;
}

void close_sockets(const Sockets& sockets) noexcept {
  for (const int descriptor : {sockets.network.socket, sockets.door, sockets.memory}) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

int start_watcher(const WatchPlan& plan) {
  Watcher watcher(plan);
  const pid_t between = ::fork();
  if (between < 0) return errno;
  if (between == 0) {
    // The program may wait for any child, and is not to find this one.
    if (::fork() == 0) watcher.run();
    for (;;) ::syscall(SYS_exit_group, 0);
  }
  while (::waitpid(between, nullptr, 0) < 0 && errno == EINTR) {
  }
  return 0;
}

}  // namespace tasuki::transport::watch
