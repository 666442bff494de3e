// The collectives that are in flight on one rank: the runtime's executor of schedules.
//
// Messages of a collective are named by (team, number of the collective on that team, peer,
// sequence); what arrives before its receive is posted is kept. Thread-safety: none; the rank's own
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <tasuki/coll/executor.hpp>
#include <tasuki/coll/policy.hpp>
#include <tasuki/runtime/collectives.hpp>
#include <tasuki/runtime/world.hpp>
#include <vector>

#include "runtime/native_collectives.hpp"

namespace tasuki::runtime {

struct CachedSchedule {
  coll::Collective collective;
  coll::Shape shape;
  std::shared_ptr<const coll::Schedule> schedule;
};

struct TeamState {
  std::uint64_t id = 0;
  std::vector<int> ranks;  ///< World ranks, in team order.
  int rank = 0;            ///< This rank's place.
  std::uint32_t next_operation = 0;
  std::uint32_t splits_count = 0;
  bool is_world = false;
  std::vector<CachedSchedule> schedules;  ///< Most recently used first.
};

class Collectives final : public coll::Channel {
 public:
  explicit Collectives(World& world);
  ~Collectives();

  Future<void> start(const Team& team, CollectiveCall call);
  const Team& world_team() const noexcept { return world_team_; }
  /// All ranks too, but for the library's own use, apart from the user's order of collectives.
  const Team& service_team() const noexcept { return service_team_; }
  NativeCollectives& native() noexcept { return native_; }

  bool send(coll::Execution& execution, int peer, std::uint32_t sequence,
            std::span<const std::byte> bytes) override;
  bool receive(coll::Execution& execution, int peer, std::uint32_t sequence,
               std::span<std::byte> into) override;

 private:
  struct Operation;
  struct Key {
    std::uint64_t team;
    std::uint32_t operation;
    std::uint32_t sequence;
    int source;
    bool operator==(const Key&) const = default;
  };
  struct Posted {
    Key key;
    std::span<std::byte> into;
    Operation* operation;
  };
  struct Unexpected {
    Key key;
    std::unique_ptr<std::byte[]> data;
    std::size_t bytes;
    bool is_bulk;
    std::uint64_t bulk_token;
  };
  struct BulkTransfer;
  struct AdvanceHeader {
    Operation* operation;
  };

  static void handle_message(World& world, int source, Reader& reader);
  static void handle_bulk(World& world, int source, Reader& reader);
  static void handle_advance(World& world, int source, Reader& reader);
  static void bulk_done(transport::Completion* self);
  static void check_length(const Key& key, std::size_t arrived_bytes, std::size_t wanted_bytes);
  std::shared_ptr<const coll::Schedule> schedule_for(TeamState& team,
                                                     const CollectiveCall& call) const;
  Posted* find_posted(const Key& key);
  void advance(Operation& operation);
  void accept_bulk(Operation& operation, std::uint64_t token, std::byte* into);

  World& world_;
  Team world_team_;
  Team service_team_;
  NativeCollectives native_;
  std::vector<Posted> posted_;
  std::vector<Unexpected> unexpected_;
};

}  // namespace tasuki::runtime
