// Tasuki's collective algorithms inside a plain MPI program: carries schedules out with PMPI_Isend,
// PMPI_Irecv and PMPI_Testany on a communicator, without the runtime.
//
// Compiled with the mpi.h of the MPI that the program uses: by the installed package's target
// tasuki::mpi_executor, in the source tree once for each MPI. Called by programs that compare
// algorithms. Thread-safety: none; one thread per object, and per communicator.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <tasuki/detail/coll/algorithm.hpp>
#include <tasuki/detail/coll/executor.hpp>
#include <tasuki/detail/coll/message_listener.hpp>
#include <tasuki/detail/coll/message_waiter.hpp>
#include <tasuki/detail/coll/placement.hpp>
#include <tasuki/detail/coll/plan_cache.hpp>
#include <tasuki/detail/coll/reduction.hpp>
#include <tasuki/detail/coll/registry.hpp>

namespace tasuki::mpi {

/// Collectives among the ranks of one communicator. Keeps the schedules it has made.
/// Example: examples/mpi_executor.cpp
class Executor final : public coll::Channel {
 public:
  /// Duplicates `communicator`. Collective over it. Messages of more bytes than `longest_piece` are
  /// sent by a datatype of such pieces. Throws tasuki::error (MPI).
  explicit Executor(MPI_Comm communicator, int longest_piece = std::numeric_limits<int>::max());
  /// Collective. Requires: MPI is not finalized.
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  /// For the library: where the ranks are, as MPI says; nullptr: all are on one node.
  const coll::Placement* placement() const noexcept { return placement_.get(); }

  /// One collective, complete on this rank when it returns. `op` may be null if it does not
  /// reduce; `shape.rank`, `ranks` and `placement` are filled in, what is known about `op` is the
  /// caller's to say (`shape.commutative`). Input and output lie as collective.hpp says, in place
  /// as shape.hpp does. Collective: all ranks call with the same algorithm and parameters. Throws
  /// tasuki::error: as coll::make_schedule does; MPI.
  void run(const coll::AlgorithmDescriptor& algorithm, const coll::Parameters& parameters,
           coll::Shape shape, const void* input, void* output, const coll::ReduceOp* op);

  /// For the library: from now on `listener` is told of each message that a collective receives.
  /// Requires: it lives as long as this executor.
  void set_listener(coll::MessageListener& listener) noexcept { listener_ = &listener; }
  /// For the library: from now on `waiter` waits for messages. Requires: as of a listener.
  void set_waiter(coll::MessageWaiter& waiter) noexcept { waiter_ = &waiter; }
  /// For the library: the messages of schedules.
  bool send(coll::Execution& execution, int peer, std::uint32_t sequence,
            std::span<const std::byte> bytes) override;
  bool receive(coll::Execution& execution, int peer, std::uint32_t sequence,
               std::span<std::byte> into) override;

 private:
  struct Plan {
    const coll::AlgorithmDescriptor* algorithm;
    coll::Parameters parameters;
    coll::Shape shape;
    coll::Schedule schedule;  ///< That of the size exchange, if there is one.

    bool is_in_use() const noexcept { return false; }  // A plan is through before the next is made.
  };
  // So that a root that goes round 64 ranks finds all its schedules again.
  static constexpr std::size_t cached_plans_count = 64;

  const coll::Schedule& schedule_for(const coll::AlgorithmDescriptor& algorithm,
                                     const coll::Parameters& parameters, const coll::Shape& shape);
  /// What the algorithm's size exchange tells this rank. Requires: there is one.
  std::vector<std::size_t> exchange_sizes(const coll::AlgorithmDescriptor& algorithm,
                                          const coll::Parameters& parameters,
                                          const coll::Shape& shape);
  /// Waits for one of the transfers, and returns its index.
  std::size_t completed_transfer();
  void end_transfer(std::size_t index);
  /// `buffers` without scratch.
  void carry_out(const coll::Schedule& schedule, coll::Buffers buffers);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  std::unique_ptr<const coll::Placement> placement_;
  std::size_t longest_piece_;
  /// Is this rank to leave its core to others while it polls? The ranks of this node are more than
  /// its cores, and the MPI library does not.
  bool must_yield_ = false;
  coll::PlanCache<Plan> plans_{cached_plans_count};
  std::vector<MPI_Request> requests_;
  /// What a request transfers.
  struct Transfer {
    coll::CollectiveMessage message;  ///< The source is -1 where it sends.
    std::size_t number = 0;           ///< That the waiter has given a receive.
  };
  std::vector<Transfer> transfers_;  ///< In the order of the requests.
  coll::MessageListener* listener_ = nullptr;
  coll::MessageWaiter* waiter_ = nullptr;
  std::vector<std::byte> scratch_;
};

}  // namespace tasuki::mpi
