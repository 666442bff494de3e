// NPB IS over Tasuki: beside is_mpi.cpp, with the same numerical code.
//
// Every rank runs main; keys move as remote writes into known buffers, sums by
// allreduce.

#include "common/tasuki_program.hpp"
#include "npb/is/node.hpp"

namespace tasuki::npb::is {
namespace {

/// Where a rank's peers write. They write again only after a `sum` that this rank has joined when
/// it was done with what they wrote before.
struct Mailbox {
  GlobalPtr<Key> inbox;
  GlobalPtr<std::uint64_t> arrivals;
};

/// A call, so that the writes to all ranks are under way at once: each returns only when the keys
/// have left, which an MPI may let large ones do one after the other.
void write_keys(GlobalPtr<const Key> from, std::size_t count, Mailbox to) {
  to.inbox.nwrite_signal(from.raw(), count, to.arrivals);
}

class TasukiExchange {
 public:
  explicit TasukiExchange(bool split) : stopwatch_(now_s, split) {}

  Stopwatch& stopwatch() noexcept { return stopwatch_; }

  void reserve(std::size_t count) {
    inbox_.resize(count);
    mailboxes_ = allgather(Mailbox{global_ptr(inbox_.data()), arrivals_.counter()});
  }

  void sum(std::span<std::int32_t> values) {
    const Stopwatch::Communication clocked(stopwatch_);
    stopwatch_.count(1, values.size_bytes());
    allreduce(std::span<const std::int32_t>(values), values, Sum());
  }

  void sum_parts(std::span<const std::int32_t> counts, std::span<std::int32_t> sums,
                 std::span<const std::size_t> sizes) {
    const Stopwatch::Communication clocked(stopwatch_);
    stopwatch_.count(1, counts.size_bytes());
    reduce_scatter(counts, sums, {sizes.begin(), sizes.end()}, Sum());
  }

  std::span<const Key> move_keys(std::span<const Key> grouped, std::span<const std::size_t> begins,
                                 std::size_t count) {
    const Stopwatch::Communication clocked(stopwatch_);
    const auto ranks = static_cast<std::size_t>(size());
    const auto me = static_cast<std::size_t>(rank());
    std::vector<std::int32_t> sent(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank)
      sent[rank] = rank == me ? 0 : static_cast<std::int32_t>(begins[rank + 1] - begins[rank]);
    std::vector<std::int32_t> sent_before(ranks);  // by lower ranks, to each
    stopwatch_.count(1, ranks * sizeof(std::int32_t));
    exscan(std::span<const std::int32_t>(sent), std::span(sent_before), Sum());

    std::vector<Future<void>> writes;
    for (std::size_t step = 1; step < ranks; ++step) {
      const std::size_t to = (me + step) % ranks;
      const auto keys = grouped.subspan(begins[to], static_cast<std::size_t>(sent[to]));
      if (!keys.empty()) stopwatch_.count(1, keys.size_bytes());
      const Mailbox at{mailboxes_[to].inbox + sent_before[to], mailboxes_[to].arrivals};
      writes.push_back(ainvoke(rank(), write_keys, global_ptr(keys.data()), keys.size(), at));
    }
    arrivals_.wait(ranks - 1);
    when_all(std::move(writes)).get();
    return std::span<const Key>(inbox_).first(count);
  }

 private:
  Stopwatch stopwatch_;
  /// Keys from the other ranks. In private memory, which gets huge pages where the shared heap gets
  /// none (docs/design/shm-protocol.md): that is worth more than writing without the kernel.
  HugeArray<Key> inbox_;
  Arrivals arrivals_;
  std::vector<Mailbox> mailboxes_;
};

}  // namespace
}  // namespace tasuki::npb::is

int main(int argc, char** argv) {
  using namespace tasuki::npb;
  return run_on_every_rank(argc, argv, parse_options, is::run<TasukiJob, is::TasukiExchange>);
}
