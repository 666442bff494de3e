// The same boxes of arrays, exchanged again and again by the same ranks of a team.
//
// Each rank has a mailbox for each rank that it exchanges with. `start` packs boxes into the
// mailboxes of the others: by stores where it can address them, else in one message each, the long
// ones on fibers of their own, because a long write waits for its target. `finish` waits for what
// comes and unpacks it. Used by halos.
//
// A mailbox has two slots, which exchanges use in turn, so that no rank overwrites what another has
// not unpacked: who exchanges with a rank also gets a signal from it, even without data. So when a
// rank begins exchange e + 1, it has finished e, the other has begun e and hence finished e - 1,
// whose slot is used again.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tasuki/detail/containers/memory_box.hpp>
#include <tasuki/future.hpp>
#include <tasuki/global_ptr.hpp>
#include <tasuki/team.hpp>
#include <vector>

namespace tasuki::containers {

/// What this rank exchanges with one rank of the team, in the order in which both have it.
struct SharedBoxes {
  int rank = 0;
  std::vector<MemoryBox> sent = {};
  std::vector<MemoryBox> received = {};
};

class BoxExchange {
 public:
  /// Collective over the team. `operation` is what errors name.
  /// Requires: if this rank names another, that one names this one, with as many bytes.
  /// Throws on all ranks if one finds no room.
  BoxExchange(const Team& team, std::vector<SharedBoxes> shared, const char* operation);
  /// Frees the mailboxes, unless the job is over or an exchange is under way, whose data may still
  /// come.
  ~BoxExchange();
  BoxExchange(const BoxExchange&) = delete;
  BoxExchange& operator=(const BoxExchange&) = delete;

  /// Sends what `memory` has in the boxes; it may be changed when this returns.
  /// Throws tasuki::error if the exchange before is not finished, or the job is over.
  void start(const std::byte* memory);
  /// Waits for all that this rank receives, and copies it into `memory`.
  /// Throws tasuki::error if no exchange is started, or the job is over.
  void finish(std::byte* memory);

 private:
  /// A part of the heap in units that no two writers share (a line of the cache).
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  /// Where one rank's data of an exchange go: a line with the counter of arrivals, then the data.
  struct Slot {
    GlobalPtr<std::uint64_t> arrived = {};
    GlobalPtr<std::byte> data = {};
    std::byte* addressable = nullptr;  ///< The data, if this process can write them.
  };
  struct Link {
    SharedBoxes boxes;
    std::size_t sent_bytes = 0;
    std::size_t received_bytes = 0;
    std::array<Slot, 2> theirs = {};
    std::array<Slot, 2> own = {};
    /// What is sent by a message. The fiber that sends it keeps it, too.
    std::shared_ptr<std::byte[]> packed = {};
    bool is_long = false;
  };

  static Slot slot_at(GlobalPtr<Line> mailbox, std::size_t bytes, std::size_t number);
  void find_slots(const Team& team);
  void connect(Link& link, GlobalPtr<Line> own, GlobalPtr<Line> theirs) const;
  void send(const Link& link, const Slot& slot);

  const char* operation_;
  std::vector<Link> links_;
  GlobalPtr<Line> mailboxes_;
  std::vector<Future<void>> sending_;  ///< The long ones of the exchange that is under way.
  std::uint64_t started_count_ = 0;
  bool is_under_way_ = false;
};

}  // namespace tasuki::containers
