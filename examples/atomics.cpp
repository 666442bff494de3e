// examples/atomics.cpp
#include <tasuki/tasuki.hpp>

#include <cstdint>
#include <cstdio>

// A histogram over all ranks: each has a part of the table.
int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    constexpr std::uint64_t buckets = 1000;
    constexpr std::uint64_t items = 100'000;
    const auto tables = tasuki::new_array<std::uint64_t>(buckets, tasuki::world_team());

    std::uint64_t random = static_cast<std::uint64_t>(tasuki::rank()) + 1;
    for (std::uint64_t i = 0; i < items; ++i) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      const std::uint64_t at = (random >> 32U) % (buckets * tables.size());
      // Wants no answer, so that many travel in one message.
      tables[at / buckets][static_cast<std::ptrdiff_t>(at % buckets)].add(1);
    }
    tasuki::barrier();  // all of them are done

    std::uint64_t counted = 0;
    const auto mine = tables[static_cast<std::size_t>(tasuki::rank())];
    for (std::uint64_t i = 0; i < buckets; ++i) counted += mine.raw()[i];
    const auto all = tasuki::allreduce(counted, tasuki::Sum{});
    if (tasuki::rank() == 0) {
      std::printf("all counted: %d\n", all == items * tables.size());
      // The first to take a ticket, of all ranks or fibers, gets 0.
      const auto tickets = tasuki::new_<std::int32_t>(0);
      tasuki::Future<std::int32_t> ticket = tickets.fetch_add_async(1);
      std::printf("ticket %d", ticket.get());
      std::printf(", then %d\n", tickets.compare_exchange(1, 10));
    }
    tasuki::barrier();
    tasuki::delete_(mine);
  });
}
