// What a watcher knows of the other nodes of the job, and what it tells them: which of them have
// been silent for too long.
//
// Nodes form a ring, and each sends heartbeats to its two neighbours. When a neighbour has been
// silent for half of the time limit, all nodes are asked, so that the verdict names all that are
// gone. No clock and no socket: the watcher brings the time and the datagrams.
// docs/design/vanished-hosts.md says why.
//
// Thread-safety: none. Only the constructor allocates memory.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "transport/watch/node_card.hpp"

namespace tasuki::transport::watch {

/// Of this many the verdict can name each; beyond, it names the neighbours alone.
inline constexpr int named_nodes_most_count = 8192;

/// What watchers send to each other.
struct Datagram {
  enum class Kind : std::uint8_t { alive, question, verdict, farewell, farewell_heard };

  static constexpr std::uint32_t own_word = 0x54575401;  ///< Its last byte is the version.

  std::uint32_t word = own_word;
  Kind kind = Kind::alive;
  std::array<std::uint8_t, 3> unused{};
  std::int32_t from = 0;
  std::int32_t to = 0;
  Key key{};
  /// A bit for each node; sent with a verdict only.
  std::array<std::uint8_t, named_nodes_most_count / 8> vanished{};

  std::size_t bytes() const noexcept {
    return kind == Kind::verdict ? sizeof *this : offsetof(Datagram, vanished);
  }
};

class Heartbeats {
 public:
  /// Takes a datagram that is to be sent; it is valid during the call.
  using Send = void (*)(void* context, const Datagram& datagram);

  Heartbeats(int node, int nodes_count, const Key& key, std::int64_t time_limit_ns, Send sender,
             void* context);

  /// Sends what is due. Called often: at least every `interval_ns`.
  void on_time(std::int64_t now_ns);
  /// Takes what has come; what is none of the job's is ignored.
  void on_datagram(const Datagram& datagram, std::size_t bytes, std::int64_t now_ns);
  /// Tells the neighbours that the ranks of this node have ended. Called again until
  /// `is_farewell_heard`, or until that takes too long.
  void say_farewell();
  bool is_farewell_heard() const noexcept;

  std::int64_t interval_ns() const noexcept { return interval_ns_; }
  /// Is there a verdict? It does not change any more.
  bool has_verdict() const noexcept { return has_verdict_; }
  /// Has this node vanished, for the verdict? The own one has if the others say so.
  bool has_vanished(int node) const noexcept;
  /// How long nothing may come from a neighbour.
  std::int64_t silence_ns() const noexcept { return silence_ns_; }
  /// Once, when the time limit has passed since the start: a neighbour from which nothing has ever
  /// come, so that nobody would notice its end. Returns: -1 if there is none.
  int take_unheard(std::int64_t now_ns);

 private:
  struct Node {
    std::int64_t heard_ns = never;
    /// It has been heard as a neighbour, so that it is heard again and again. The others answer
    /// questions alone; nor do all of them tell this node when they leave.
    bool is_expected = false;
    bool has_left = false;
    bool has_heard_farewell = false;
  };
  static constexpr std::int64_t never = INT64_MIN;

  Node& at(int node) { return nodes_[static_cast<std::size_t>(node)]; }
  const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  /// The next node in this direction (1 or -1) that has not left; the own one if there is none.
  int neighbour(int direction) const;
  void send(Datagram::Kind kind, int to);
  void send_to_neighbours(Datagram::Kind kind);
  void send_to_others(Datagram::Kind kind);
  bool is_silent(int node, std::int64_t now_ns, std::int64_t for_ns) const;
  void check_neighbours(std::int64_t now_ns);
  void give_verdict();
  void set_vanished(int node);

  int own_;
  Send send_;
  void* context_;
  std::int64_t interval_ns_;
  std::int64_t silence_ns_;
  std::int64_t suspicion_ns_;
  std::int64_t last_time_ns_ = never;
  std::int64_t started_ns_ = never;
  std::int64_t asked_since_ns_ = never;  ///< All nodes; never: no neighbour is suspected.
  std::int64_t next_send_ns_ = never;
  bool has_verdict_ = false;
  bool has_named_unheard_ = false;
  std::vector<Node> nodes_;
  Datagram datagram_;  ///< That is sent next; has the verdict.
};

}  // namespace tasuki::transport::watch
