// A network as the simulator sees it: the parameters of LogGP and what work on memory costs.
//
// Given to simulate() (simulator.hpp); `networks` lists those that come with Tasuki.
// Thread-safety: values and constant data.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tasuki::coll {

/// The parameters of LogGP (Alexandrov, Ionescu, Schauser and Scheiman 1995), in nanoseconds.
/// A message of k bytes keeps its sender's processor busy for `overhead_ns`, its first byte leaves
/// when that is over and `gap_ns` have passed since the last byte before it, the others follow at
/// `gap_ns_per_byte`, each is there `latency_ns` later, and taking the message in costs the
/// receiver's processor `overhead_ns` again, at least `gap_ns` after the one before.
struct LogGP {
  double latency_ns = 0;
  double overhead_ns = 0;
  double gap_ns = 0;
  double gap_ns_per_byte = 0;

  bool operator==(const LogGP&) const = default;
};

struct Network {
  std::string name;
  std::string source;  ///< Where the numbers come from.
  LogGP link;          ///< Between ranks on different nodes.
  LogGP node;          ///< Between ranks of one node.
  LogGP far;           ///< Between ranks on nodes of different groups.
  double copy_ns_per_byte = 0;
  double reduce_ns_per_byte = 0;
  /// Of a node's memory: what it takes for all ranks of the node together, however many they are.
  double memory_ns_per_byte = 0;
  /// Ranks lie on the nodes one after the other.
  int ranks_per_node = 1;
  /// Nodes lie in groups one after the other, as many as share a switch; 0: all in one.
  int nodes_per_group = 0;
  /// What the links of a group's nodes carry together, to what its own links to others carry.
  double taper = 1;
  /// Do ranks of a node share what it has? All messages into the node, and all that leave it, pass
  /// through its one link, one byte after the other; and messages between its ranks, copies and
  /// reductions through its memory. So do all messages into a group, and all that leave it, through
  /// what joins it to others. If not, each rank sends as if alone and receives from many at once.
  bool contention = false;

  bool operator==(const Network&) const = default;
};

/// Those that come with Tasuki.
std::span<const Network> networks();

/// Reads the name of one of those, or a name and numbers in the place of its own:
/// "200g,latency_ns=900,gap_ns_per_byte=0.08". Numbers are those of LogGP, which then hold within
/// groups and between them, and taper. Only the latency between groups stays longer than within, by
/// as much as before. Throws tasuki::error that names what there is.
Network parse_network(std::string_view text);

}  // namespace tasuki::coll
