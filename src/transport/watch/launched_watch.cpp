#include <tasuki/detail/transport/launched_watch.hpp>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/fixed_text.hpp>
#include <tasuki/detail/transport/vanished_hosts.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

#include "transport/watch/heartbeats.hpp"
#include "transport/watch/job_processes.hpp"
#include "transport/watch/network.hpp"
#include "transport/watch/verdict_text.hpp"
#include "transport/watch/watcher.hpp"

namespace tasuki::transport {
namespace {

using namespace watch;

constexpr std::int64_t millisecond_ns = 1'000'000;
constexpr std::int64_t second_ns = 1000 * millisecond_ns;
/// The launcher ends the job on its host, and mpiexec its own processes elsewhere, if it can.
constexpr std::int64_t ending_time_ns = 2 * second_ns;
/// Where Tasuki's ranks have watchers of their own, these come first, with what the ranks wait for.
constexpr std::int64_t own_ending_time_ns = 3 * ending_time_ns;
constexpr int watcher_searches_in_time_limit = 4;

static_assert(std::is_trivially_copyable_v<NodeCard>);

std::string hex_of(const NodeCard& card) {
  std::string text;
  for (std::size_t i = 0; i < sizeof card; ++i) {
    text += fmt::format("{:02x}", reinterpret_cast<const unsigned char*>(&card)[i]);
  }
  return text;
}

[[noreturn]] void refuse(std::string_view word) {
  throw error("watching the hosts", fmt::format("the launcher says {}", word.substr(0, 40)),
              "install the same version of Tasuki on all hosts");
}

template <class Number>
Number number_of(std::string_view digits, int base = 10) {
  Number number = 0;
  const auto [end, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (failure != std::errc() || end != digits.data() + digits.size() || number < 0) refuse(digits);
  return number;
}

NodeCard card_of(std::string_view hex) {
  NodeCard card{};
  if (hex.size() != 2 * sizeof card) refuse(hex);
  for (std::size_t i = 0; i < sizeof card; ++i) {
    reinterpret_cast<unsigned char*>(&card)[i] =
        static_cast<unsigned char>(number_of<int>(hex.substr(2 * i, 2), 16));
  }
  if (card.addresses_count > NodeCard::addresses_most_count || card.host.back() != 0) refuse(hex);
  return card;
}

/// What the launcher says when all watchers have told where they are.
struct Order {
  std::string job;  ///< The value of TASUKI_WATCHED_JOB.
  WatchPlan plan;
};

/// Reads "JOB OWN_NODE TIME_LIMIT_MS CARD:RANKS_COUNT CARD:RANKS_COUNT ...".
Order order_of(const std::string& line) {
  Order order;
  std::string own_node;
  std::string time_limit;
  std::istringstream words(line);
  words >> order.job >> own_node >> time_limit;
  order.plan.own_node = number_of<int>(own_node);
  order.plan.time_limit_ns = number_of<std::int64_t>(time_limit) * millisecond_ns;
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos) refuse(word);
    const int node = static_cast<int>(order.plan.nodes.size());
    order.plan.nodes.push_back(card_of(std::string_view(word).substr(0, colon)));
    const auto count = number_of<std::size_t>(std::string_view(word).substr(colon + 1));
    order.plan.node_of_ranks.insert(order.plan.node_of_ranks.end(), count, node);
  }
  if (order.plan.own_node >= static_cast<int>(order.plan.nodes.size())) refuse(own_node);
  return order;
}

/// The two descriptors to the launcher.
class Launcher {
 public:
  Launcher(int input, int output) : input_(input), output_(output) {}

  int input() const noexcept { return input_; }

  void say(std::string_view kind, std::string_view text) const {
    const std::string line = fmt::format("{} {}\n", kind, text);
    [[maybe_unused]] const ssize_t written = ::write(output_, line.data(), line.size());
  }

  /// Returns: the next line; "" if the launcher has ended.
  std::string line() const {
    std::string text;
    for (char next = 0; read_one(next);) {
      if (next == '\n') return text;
      text += next;
    }
    return "";
  }

 private:
  bool read_one(char& next) const noexcept {
    ssize_t got = -1;
    do {
      got = ::read(input_, &next, 1);
    } while (got < 0 && errno == EINTR);
    return got == 1;
  }

  int input_;
  int output_;
};

class LaunchedWatch {
 public:
  LaunchedWatch(const Launcher& launcher, const Network& network, const Order& order)
      : launcher_(launcher),
        network_(network),
        plan_(order.plan),
        processes_(order.job),
        heartbeats_(plan_.own_node, static_cast<int>(plan_.nodes.size()), plan_.nodes.front().key,
                    plan_.time_limit_ns, &send, this) {}

  void run() {
    while (!heartbeats_.has_verdict()) {
      const std::int64_t now_ns = base::now_ns();
      search_watcher(now_ns);
      heartbeats_.on_time(now_ns);
      name_unheard(now_ns);
      if (wait(heartbeats_.interval_ns() / 2)) return leave();
    }
    tell_verdict();
    const std::int64_t give_up_ns =
        base::now_ns() + (has_watcher_ ? own_ending_time_ns : ending_time_ns);
    for (std::int64_t now_ns = base::now_ns(); now_ns < give_up_ns; now_ns = base::now_ns()) {
      heartbeats_.on_time(now_ns);
      if (wait(std::min(heartbeats_.interval_ns() / 2, give_up_ns - now_ns))) break;
    }
    processes_.end();
  }

 private:
  static void send(void* self, const Datagram& datagram) {
    const auto& it = *static_cast<const LaunchedWatch*>(self);
    send_datagram(it.network_, it.plan_.nodes[static_cast<std::size_t>(datagram.to)], datagram);
  }

  /// Returns: has the launcher said anything, or ended?
  bool wait(std::int64_t time_ns) {
    pollfd events[] = {{network_.socket, POLLIN, 0}, {launcher_.input(), POLLIN, 0}};
    const int count = ::poll(events, 2, static_cast<int>(time_ns / millisecond_ns) + 1);
    receive_datagrams(network_, heartbeats_);
    return count > 0 && events[1].revents != 0;
  }

  void search_watcher(std::int64_t now_ns) {
    if (has_watcher_ || now_ns < next_search_ns_) return;
    next_search_ns_ = now_ns + plan_.time_limit_ns / watcher_searches_in_time_limit;
    has_watcher_ = processes_.have_watcher();
  }

  void name_unheard(std::int64_t now_ns) {
    const int node = heartbeats_.take_unheard(now_ns);
    if (node < 0 || has_watcher_) return;
    base::FixedText text;
    append_unheard(text, plan_.nodes[static_cast<std::size_t>(plan_.own_node)],
                   plan_.nodes[static_cast<std::size_t>(node)]);
    launcher_.say("unheard", text.view());
  }

  void tell_verdict() {
    has_watcher_ = has_watcher_ || processes_.have_watcher();
    const auto told = std::make_unique<VanishedHosts>();
    write_verdict(plan_, heartbeats_, *told);
    launcher_.say(has_watcher_ ? "vanished-for-ranks" : "vanished", told->what_happened());
  }

  /// The launcher says a word if the job has been broken off: this host may have been paused when
  /// its ranks were ended.
  void leave() {
    if (!launcher_.line().empty()) processes_.end();
    take_leave(network_, heartbeats_);
  }

  const Launcher& launcher_;
  const Network& network_;
  const WatchPlan& plan_;
  JobProcesses processes_;
  Heartbeats heartbeats_;
  bool has_watcher_ = false;  ///< That Tasuki's ranks have started.
  std::int64_t next_search_ns_ = INT64_MIN;
};

}  // namespace

void watch_for_launcher(int input, int output) {
  const Launcher launcher(input, output);
  NodeCard card = new_card();
  Network network;
  open_network(card, network);
  launcher.say("card", hex_of(card));
  const std::string line = launcher.line();
  if (!line.empty()) {
    const Order order = order_of(line);
    LaunchedWatch(launcher, network, order).run();
  }
  ::close(network.socket);
}

}  // namespace tasuki::transport
