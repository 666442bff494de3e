// Collectives on shared memory without messages: the flag barrier and the allreduce of small
// vectors, for the team of all ranks when they share one node.
//
// Barrier: two ranks exchange flags; more gather theirs, one byte each, in words that the root
// reads eight flags at a time, and are released through one line that all read (the (N-1)-ary tree
// of DIMMnet-1, Mitsuhashi et al. 2002); if they outnumber the cores, all read all flags.
// Allreduce: every rank writes its operand beside a sequence number and combines all operands in
// rank order, so that all get the same bits.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/runtime/collectives.hpp>
#include <tasuki/runtime/world.hpp>

namespace tasuki::runtime {

class NativeCollectives {
 public:
  explicit NativeCollectives(World& world);

  bool available() const noexcept { return scratch_ != nullptr; }
  bool fits(std::size_t bytes) const noexcept { return available() && bytes <= operand_bytes; }
  bool takes(const CollectiveCall& call) const noexcept {
    return fits(call.input_count * call.shape.element_bytes) &&
           call.shape.count == call.input_count;
  }

  void barrier();
  void allreduce(const CollectiveCall& call) {
    allreduce(call.input, call.output, call.shape.count, call.op);
  }
  /// Requires: fits(count * op.element_bytes). `input` may be `output`.
  void allreduce(const void* input, void* output, std::size_t count, const coll::ReduceOp& op);

 private:
  static constexpr std::size_t line_bytes = 64;
  static constexpr std::size_t operand_bytes = line_bytes - sizeof(std::uint64_t);
  /// A rank's operand and the number of the allreduce it belongs to, in one line.
  struct Operand {
    std::uint64_t sequence;
    std::byte data[operand_bytes];
  };

  template <class Ready>
  void wait_until(Ready ready, const char* what);
  void notify_all() noexcept;
  void barrier_of_two();
  void barrier_of_many();
  /// Waits until every rank's byte among the flags is `flag`.
  void wait_for_flags(const std::byte* flags, unsigned char flag);
  Operand& operand(int rank, std::uint64_t sequence) const noexcept;

  World& world_;
  std::byte* scratch_ = nullptr;
  int rank_;
  int ranks_;
  bool may_spin_;
  std::uint64_t barriers_ = 0;
  std::uint64_t allreduces_ = 0;
};

}  // namespace tasuki::runtime
