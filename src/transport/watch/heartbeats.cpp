#include "transport/watch/heartbeats.hpp"

#include <algorithm>
#include <cstring>

namespace tasuki::transport::watch {
namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
/// A loss of single datagrams is no silence.
constexpr std::int64_t heartbeats_in_time_limit = 10;

}  // namespace

Heartbeats::Heartbeats(int node, int nodes_count, const Key& key, std::int64_t time_limit_ns,
                       Send sender, void* context)
    : own_(node),
      send_(sender),
      context_(context),
      interval_ns_(std::min(second_ns, time_limit_ns / heartbeats_in_time_limit)),
      // The rest of the time is for the ranks to end in.
      silence_ns_(time_limit_ns - time_limit_ns / heartbeats_in_time_limit),
      suspicion_ns_(time_limit_ns / 2),
      nodes_(static_cast<std::size_t>(nodes_count)) {
  datagram_.from = node;
  datagram_.key = key;
}

void Heartbeats::on_time(std::int64_t now_ns) {
  if (started_ns_ == never) started_ns_ = now_ns;
  // This host has been paused, or this process: what was silent meanwhile is not known.
  if (last_time_ns_ != never && now_ns - last_time_ns_ > suspicion_ns_ / 2) {
    asked_since_ns_ = never;
    for (Node& node : nodes_) {
      if (node.heard_ns != never) node.heard_ns = now_ns;
    }
  }
  last_time_ns_ = now_ns;
  if (now_ns < next_send_ns_) return;
  next_send_ns_ = now_ns + interval_ns_;
  if (has_verdict_) return send_to_others(Datagram::Kind::verdict);
  send_to_neighbours(Datagram::Kind::alive);
  check_neighbours(now_ns);
}

void Heartbeats::check_neighbours(std::int64_t now_ns) {
  const std::array neighbours{neighbour(1), neighbour(-1)};
  const auto any_silent = [&](std::int64_t for_ns) {
    return std::any_of(neighbours.begin(), neighbours.end(),
                       [&](int node) { return is_silent(node, now_ns, for_ns); });
  };
  if (!any_silent(suspicion_ns_)) {
    asked_since_ns_ = never;
    return;
  }
  const bool may_have_answered = asked_since_ns_ != never;
  if (!may_have_answered) asked_since_ns_ = now_ns;
  if (may_have_answered && any_silent(silence_ns_)) return give_verdict();
  send_to_others(Datagram::Kind::question);
}

void Heartbeats::give_verdict() {
  for (int node = 0; node < static_cast<int>(nodes_.size()); ++node) {
    if (node == own_ || at(node).has_left) continue;
    if (at(node).heard_ns < asked_since_ns_) set_vanished(node);
  }
  has_verdict_ = true;
  send_to_others(Datagram::Kind::verdict);
}

void Heartbeats::on_datagram(const Datagram& datagram, std::size_t bytes, std::int64_t now_ns) {
  if (bytes < offsetof(Datagram, vanished) || datagram.word != Datagram::own_word) return;
  if (bytes != datagram.bytes() || datagram.key != datagram_.key || datagram.to != own_) return;
  if (datagram.from < 0 || datagram.from >= static_cast<int>(nodes_.size())) return;
  Node& from = at(datagram.from);
  from.heard_ns = now_ns;
  if (datagram.from == neighbour(1) || datagram.from == neighbour(-1)) from.is_expected = true;
  switch (datagram.kind) {
    case Datagram::Kind::alive:
      break;
    case Datagram::Kind::question:
      send(Datagram::Kind::alive, datagram.from);
      break;
    case Datagram::Kind::verdict:
      if (has_verdict_) break;
      datagram_.vanished = datagram.vanished;
      has_verdict_ = true;
      next_send_ns_ = now_ns;
      break;
    case Datagram::Kind::farewell:
      from.has_left = true;
      send(Datagram::Kind::farewell_heard, datagram.from);
      break;
    case Datagram::Kind::farewell_heard:
      from.has_heard_farewell = true;
      break;
  }
}

void Heartbeats::say_farewell() { send_to_neighbours(Datagram::Kind::farewell); }

bool Heartbeats::is_farewell_heard() const noexcept {
  const auto is_done = [&](int node) { return node == own_ || at(node).has_heard_farewell; };
  return is_done(neighbour(1)) && is_done(neighbour(-1));
}

int Heartbeats::take_unheard(std::int64_t now_ns) {
  if (has_named_unheard_ || started_ns_ == never || now_ns - started_ns_ < silence_ns_) return -1;
  has_named_unheard_ = true;
  for (const int node : {neighbour(1), neighbour(-1)}) {
    if (node != own_ && at(node).heard_ns == never) return node;
  }
  return -1;
}

bool Heartbeats::has_vanished(int node) const noexcept {
  if (!has_verdict_ || node >= named_nodes_most_count) return false;
  return (datagram_.vanished[static_cast<std::size_t>(node) / 8] >> (node % 8) & 1) != 0;
}

void Heartbeats::set_vanished(int node) {
  if (node >= named_nodes_most_count) return;
  datagram_.vanished[static_cast<std::size_t>(node) / 8] |=
      static_cast<std::uint8_t>(1U << (node % 8));
}

int Heartbeats::neighbour(int direction) const {
  const int count = static_cast<int>(nodes_.size());
  int node = own_;
  do {
    node = (node + direction + count) % count;
  } while (node != own_ && at(node).has_left);
  return node;
}

bool Heartbeats::is_silent(int node, std::int64_t now_ns, std::int64_t for_ns) const {
  return node != own_ && at(node).is_expected && now_ns - at(node).heard_ns >= for_ns;
}

void Heartbeats::send(Datagram::Kind kind, int to) {
  datagram_.kind = kind;
  datagram_.to = to;
  send_(context_, datagram_);
}

void Heartbeats::send_to_neighbours(Datagram::Kind kind) {
  const int after = neighbour(1);
  const int before = neighbour(-1);
  if (after != own_) send(kind, after);
  if (before != own_ && before != after) send(kind, before);
}

void Heartbeats::send_to_others(Datagram::Kind kind) {
  for (int node = 0; node < static_cast<int>(nodes_.size()); ++node) {
    if (node != own_ && !at(node).has_left) send(kind, node);
  }
}

}  // namespace tasuki::transport::watch
