#include <tasuki/mpi_executor.hpp>

#include "mpi/messages/byte_count.hpp"
#include "mpi/messages/check.hpp"
#include "mpi/messages/library_yields.hpp"
#include "mpi/messages/placement.hpp"

#include <algorithm>
#include <functional>
#include <thread>
#include <utility>

namespace tasuki::mpi {
namespace {

// MPI keeps the order of messages between two ranks, and a rank begins a collective only when it is
// through with the one before.
constexpr int tag = 0;

constexpr int no_source = -1;

}  // namespace

Executor::Executor(MPI_Comm communicator, int longest_piece)
    : longest_piece_(static_cast<std::size_t>(longest_piece)) {
  sent_first_below_bytes = sent_first_over_mpi_bytes;
  check(PMPI_Comm_dup(communicator, &communicator_), "duplicating a communicator");
  PMPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
  PMPI_Comm_rank(communicator_, &rank_);
  PMPI_Comm_size(communicator_, &size_);
  try {
    placement_ = find_placement(communicator_);
  } catch (...) {
    PMPI_Comm_free(&communicator_);
    throw;
  }
  const std::size_t node_size = placement_ == nullptr
                                    ? static_cast<std::size_t>(size_)
                                    : placement_->ranks_on(placement_->node_of(rank_)).size();
  const bool shares_cores = node_size > std::thread::hardware_concurrency();
  must_yield_ = shares_cores && !library_yields();
}

Executor::~Executor() { PMPI_Comm_free(&communicator_); }

const coll::Schedule& Executor::schedule_for(const coll::AlgorithmDescriptor& algorithm,
                                             const coll::Parameters& parameters,
                                             const coll::Shape& shape) {
  const auto matches = [&](const Plan& plan) {
    return plan.algorithm == &algorithm && plan.shape == shape && plan.parameters == parameters;
  };
  const auto make = [&] {
    return Plan{&algorithm, parameters, shape, coll::make_schedule(algorithm, shape, parameters)};
  };
  return plans_.find_or_add(matches, make).schedule;
}

void Executor::run(const coll::AlgorithmDescriptor& algorithm, const coll::Parameters& parameters,
                   coll::Shape shape, const void* input, void* output, const coll::ReduceOp* op) {
  shape.rank = rank_;
  shape.ranks = size_;
  shape.placement = placement_.get();
  const coll::Buffers buffers{static_cast<const std::byte*>(input), static_cast<std::byte*>(output),
                              nullptr, shape.element_bytes, op};
  if (!algorithm.exchanges_sizes()) {
    carry_out(schedule_for(algorithm, parameters, shape), buffers);
    return;
  }
  const std::vector<std::size_t> sizes = exchange_sizes(algorithm, parameters, shape);
  carry_out(coll::make_schedule_after(algorithm, shape, sizes, parameters), buffers);
}

std::vector<std::size_t> Executor::exchange_sizes(const coll::AlgorithmDescriptor& algorithm,
                                                  const coll::Parameters& parameters,
                                                  const coll::Shape& shape) {
  const coll::Schedule& exchange = schedule_for(algorithm, parameters, shape);
  std::vector<std::size_t> sizes(coll::exchanged_sizes_count(algorithm, shape, parameters));
  carry_out(exchange,
            {reinterpret_cast<const std::byte*>(shape.send_counts.data()),
             reinterpret_cast<std::byte*>(sizes.data()), nullptr, sizeof(std::size_t), nullptr});
  return sizes;
}

void Executor::carry_out(const coll::Schedule& schedule, coll::Buffers buffers) {
  const std::size_t scratch_bytes = schedule.scratch_count * buffers.element_bytes;
  if (scratch_.size() < scratch_bytes) scratch_.resize(scratch_bytes);
  buffers.scratch = scratch_.data();
  coll::Execution execution(schedule, buffers, *this);
  while (!execution.advance()) {
    end_transfer(completed_transfer());
    execution.transfer_done();
  }
}

std::size_t Executor::completed_transfer() {
  int index = 0;
  const auto poll = [&] {
    int is_done = 0;
    check(PMPI_Testany(static_cast<int>(requests_.size()), requests_.data(), &index, &is_done,
                       MPI_STATUS_IGNORE),
          "waiting for a message of a collective");
    return is_done != 0;
  };
  if (waiter_ != nullptr) {
    waiter_->until(std::ref(poll));
    return static_cast<std::size_t>(index);
  }
  while (!poll()) {
    if (must_yield_) std::this_thread::yield();
  }
  return static_cast<std::size_t>(index);
}

void Executor::end_transfer(std::size_t index) {
  const auto& [message, number] = transfers_[index];
  if (message.source != no_source) {
    if (listener_ != nullptr) listener_->received(message);
    if (waiter_ != nullptr) waiter_->arrived(number);
  }
  requests_[index] = requests_.back();
  requests_.pop_back();
  transfers_[index] = transfers_.back();
  transfers_.pop_back();
}

bool Executor::send(coll::Execution&, int peer, std::uint32_t, std::span<const std::byte> bytes) {
  const ByteCount count(bytes.size(), longest_piece_);
  check(PMPI_Isend(bytes.data(), count.elements(), count.datatype(), peer, tag, communicator_,
                   &requests_.emplace_back()),
        "sending a message of a collective");
  transfers_.push_back({{no_source, bytes.size(), 0}});
  return false;
}

bool Executor::receive(coll::Execution&, int peer, std::uint32_t, std::span<std::byte> into) {
  const ByteCount count(into.size(), longest_piece_);
  check(PMPI_Irecv(into.data(), count.elements(), count.datatype(), peer, tag, communicator_,
                   &requests_.emplace_back()),
        "receiving a message of a collective");
  transfers_.push_back({{peer, into.size(), listener_ != nullptr ? listener_->now() : 0},
                        waiter_ != nullptr ? waiter_->posted(peer, into) : 0});
  return false;
}

}  // namespace tasuki::mpi
