// The collectives that are in flight on one rank: the runtime's executor of schedules.
//
// Messages of a collective are named by (team, number of the collective on that team, peer,
// sequence); what arrives before its receive is posted is kept. Thread-safety: none; the rank's own
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <tasuki/collectives.hpp>
#include <tasuki/detail/coll/executor.hpp>
#include <tasuki/detail/coll/plan_cache.hpp>
#include <tasuki/detail/coll/policy.hpp>
#include <tasuki/detail/runtime/world/world.hpp>
#include <vector>

#include "node/teams/node_segment.hpp"
#include "node/teams/team_segments.hpp"
#include "runtime/collectives/collective_check.hpp"
#include "runtime/collectives/mpi_requests.hpp"
#include "runtime/collectives/node_host.hpp"
#include "runtime/collectives/plan.hpp"
#include "runtime/waiting/key_table.hpp"

namespace tasuki::runtime {

// A program alternates between a handful of collectives.
inline constexpr std::size_t cached_plans_count = 16;

struct TeamState {
  std::uint64_t id = 0;
  std::vector<int> ranks;  ///< World ranks, in team order.
  int rank = 0;            ///< This rank's place.
  std::uint32_t next_operation = 0;
  std::uint32_t begun_by_all = 0;  ///< All ranks are known to have begun those before this number.
  std::uint32_t splits_count = 0;
  std::uint64_t checked_count = 0;  ///< Collectives that CollectiveCheck has seen.
  bool is_world = false;
  coll::PlanCache<Plan> plans{cached_plans_count};

  /// Where the collectives of one node work: the world's, or that of `team_segment`; nullptr: by
  /// messages.
  node::NodeSegment* node_segment = nullptr;
  std::unique_ptr<node::TeamSegment> team_segment;
  node::BarrierFunction barrier_function = nullptr;  ///< nullptr: by messages.
  std::size_t element_most_bytes = 0;                ///< Of those whose allreduce is staged.
  std::uint64_t policy_number = 0;  ///< What follows from the policy is that of this number.

  TeamState() = default;
  TeamState(const TeamState&) = delete;
  TeamState& operator=(const TeamState&) = delete;
  ~TeamState();
};

class Collectives final : public coll::Channel {
 public:
  explicit Collectives(World& world);
  ~Collectives();

  Future<void> start(const Team& team, CollectiveCall call);
  /// The same, returning when it is complete on this rank.
  void run(const Team& team, CollectiveCall& call);
  void barrier(const Team& team);
  /// An allreduce of one element. Returns: false, having done nothing, unless the policy has it be
  /// staged.
  bool allreduce_element(const Team& team, void* in_out, const coll::ReduceOp& op);
  const Team& world_team() const noexcept { return world_team_; }
  /// All ranks too, but for the library's own use, apart from the user's order of collectives.
  const Team& service_team() const noexcept { return service_team_; }

  /// Of blocking collectives on the world team. Collective.
  coll::Media media() { return media_of(world_team_.state()); }

  /// Collective over all ranks, before anything else.
  void begin();
  /// Gives a new team a node segment if its ranks share memory; `nodes` are what their `node()`
  /// says. Collective over the team, before anything else on it.
  void prepare(const Team& team, std::span<const int> nodes);
  /// The lowest rank that this rank shares memory with: the same for all ranks of a node.
  int node() const;
  node::TeamSegments& team_segments() noexcept { return team_segments_; }

  CollectiveCheck& check() noexcept { return check_; }

  /// What is under way in the MPI library, for the poller.
  MpiRequests& mpi_requests() noexcept { return mpi_requests_; }
  /// Waits until nothing is under way there, and all that was started on this rank is through.
  void finish();

  const coll::Policy& policy() const noexcept { return policy_; }
  void set_policy(coll::Policy policy);
  bool is_reproducible() const noexcept { return is_reproducible_; }
  void set_reproducible(bool wanted);
  /// nullptr unless all ranks share one node.
  node::NodeSegment* node_segment() noexcept {
    return node_segment_.has_value() ? &*node_segment_ : nullptr;
  }

  bool send(coll::Execution& execution, int peer, std::uint32_t sequence,
            std::span<const std::byte> bytes) override;
  bool receive(coll::Execution& execution, int peer, std::uint32_t sequence,
               std::span<std::byte> into) override;

 private:
  struct Operation;
  struct Waiting;
  struct Awaited;
  struct Started;
  struct AwaitedByMpi;
  struct StartedByMpi;
  struct SizeExchange;
  struct Key {
    std::uint64_t team = 0;
    std::uint32_t operation = 0;
    std::uint32_t sequence = 0;
    int source = -1;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  struct Posted {
    Key key;
    std::span<std::byte> into;
    Operation* operation = nullptr;
  };
  struct Unexpected {
    Key key;
    std::unique_ptr<std::byte[]> data;
    std::size_t bytes = 0;
    bool is_bulk = false;
    std::uint64_t bulk_token = 0;
  };
  struct BulkTransfer;
  struct AdvanceHeader {
    Operation* operation;
  };

  static void handle_message(World& world, int source, Reader& reader);
  void keep_early(const Key& key, Reader& reader, std::size_t bytes);
  static void handle_bulk(World& world, int source, Reader& reader);
  static void handle_advance(World& world, int source, Reader& reader);
  static void bulk_done(transport::Completion* self);
  [[noreturn]] static void refuse_length(const Key& key, std::size_t arrived_bytes,
                                         std::size_t wanted_bytes);
  static void check_length(const Key& key, std::size_t arrived_bytes, std::size_t wanted_bytes) {
    if (arrived_bytes != wanted_bytes) refuse_length(key, arrived_bytes, wanted_bytes);
  }
  /// Fills in what follows from the team, and checks the call.
  inline void complete(const TeamState& team, CollectiveCall& call) const;
  inline Plan& plan_for(TeamState& team, const CollectiveCall& call, bool blocking);
  /// What follows from the policy and is not looked up at each call.
  void follow_policy(TeamState& team);
  /// Of blocking collectives.
  coll::Media media_of(const TeamState& team) const;
  /// The same but for peer_memory, which the ranks first have to ask each other about.
  coll::Media media_without_peers(const TeamState& team) const;
  std::size_t find_element_most_bytes(const TeamState& team) const;
  Plan make_plan(const TeamState& team, const CollectiveCall& call, bool blocking);
  /// The ranks exchange first the sizes that their schedules depend on.
  Future<void> start(const Team& team, CollectiveCall call, const Plan::AfterSizeExchange& way);
  /// When they have.
  void start_with_sizes(const std::shared_ptr<SizeExchange>& exchange, std::uint32_t number);
  Future<void> start(const Team& team, CollectiveCall call,
                     std::shared_ptr<const coll::Schedule> schedule, std::uint32_t number);
  Future<void> start_by_mpi(CollectiveCall call);
  inline void run_schedule(TeamState& team, const CollectiveCall& call, Plan& plan,
                           const coll::Schedule& schedule);
  void run_by_mpi(const CollectiveCall& call);
  bool goes_by_mpi(const Operation& operation, int rank, std::size_t bytes) const;
  /// `completion` is what the MPI library tells of it.
  inline void wait_for(Waiting& operation, const transport::Completion& completion,
                       const TeamState& team, const CollectiveCall& call);
  void poll_for(const transport::Completion& completion, const bool& is_done);
  /// An operation is complete on this rank.
  static void note_complete(TeamState& team, const CollectiveCall& call, std::uint32_t number);
  void check_alike(TeamState& team, const CollectiveCall& call);
  void advance(Operation& operation);
  /// In a handler: what was thrown in the middle of a collective, whose other ranks cannot go on.
  [[noreturn, gnu::cold]] static void end_job_by_exception();
  /// As `receive`, of what arrived before.
  bool take_early(Operation& operation, Unexpected* found, std::span<std::byte> into);
  void accept_bulk(Operation& operation, std::uint64_t token, std::byte* into);

  World& world_;
  CollectiveCheck check_;
  Team world_team_;
  Team service_team_;
  NodeHost node_host_;
  coll::Policy policy_;
  bool is_reproducible_ = false;                   ///< Are reductions?
  std::uint64_t policy_number_ = 1;                ///< Of policies set so far.
  std::optional<node::NodeSegment> node_segment_;  ///< Empty unless all ranks share one node.
  transport::MpiOperations* mpi_;                  ///< nullptr: the network has none.
  std::size_t mpi_most_bytes_ = 0;                 ///< Of a message that goes that way.
  std::vector<bool> reached_by_mpi_;
  MpiRequests mpi_requests_;
  std::size_t under_way_count_ = 0;  ///< Started, and not through.
  bool yields_;                      ///< Does a fiber that looks let other ranks have the core?
  node::TeamSegments team_segments_;
  KeyTable<Posted, KeyHash> posted_;
  KeyTable<Unexpected, KeyHash> unexpected_;
};

}  // namespace tasuki::runtime
