#include "transport/conformance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/error.hpp>
#include <vector>

#include "support/resident_bytes.hpp"
#include "transport/mailbox.hpp"
#include "transport/pattern.hpp"

namespace tasuki::transport::conformance {
namespace {

// ---- messages ----------------------------------------------------------------------------------

void identity_is_consistent(Transport& transport) {
  const Capabilities& capabilities = transport.capabilities();
  EXPECT_GE(capabilities.message_max_bytes, 4096u);
  EXPECT_GE(capabilities.bulk_header_max_bytes, 128u);
  ASSERT_GE(transport.size(), 1);
  EXPECT_GE(transport.rank(), 0);
  EXPECT_LT(transport.rank(), transport.size());
  EXPECT_TRUE(transport.memory().shares(transport.rank()));
  Mailbox mailbox(transport);
  const auto own = static_cast<std::uint64_t>(transport.rank());
  for (int rank = 0; rank < transport.size(); ++rank) {
    mailbox.send(rank, std::as_bytes(std::span(&own, 1)));
  }
  for (int rank = 0; rank < transport.size(); ++rank) {
    const Letter letter = mailbox.receive(rank);
    ASSERT_EQ(letter.bytes.size(), sizeof(own));
    std::uint64_t theirs = 0;
    std::memcpy(&theirs, letter.bytes.data(), sizeof(theirs));
    EXPECT_EQ(theirs, static_cast<std::uint64_t>(rank));
  }
}

/// Every rank to every rank, itself included: order and content, sizes from 1 to the largest.
void messages_keep_their_order(Transport& transport) {
  constexpr std::size_t message_count = 600;
  Mailbox mailbox(transport);
  const std::size_t largest = transport.capabilities().message_max_bytes;
  const auto size_of = [&](std::uint64_t salt) {
    return 1 + salt * salt % (salt % 5 ? 200 : largest);
  };
  for (std::size_t number = 0; number < message_count; ++number) {
    for (int peer = 0; peer < transport.size(); ++peer) {
      const std::uint64_t salt = salt_of(transport.rank(), peer, number);
      mailbox.send(peer, patterned(salt, size_of(salt)));
    }
  }
  for (int peer = 0; peer < transport.size(); ++peer) {
    for (std::size_t number = 0; number < message_count; ++number) {
      const std::uint64_t salt = salt_of(peer, transport.rank(), number);
      const Letter letter = mailbox.receive(peer);
      ASSERT_EQ(letter.kind, ArrivalKind::message);
      ASSERT_EQ(letter.bytes.size(), size_of(salt)) << "message " << number << " from " << peer;
      ASSERT_TRUE(matches(salt, letter.bytes)) << "message " << number << " from " << peer;
    }
  }
  EXPECT_TRUE(mailbox.all_were_aligned());
}

void unsent_slots_are_given_back(Transport& transport) {
  Mailbox mailbox(transport);
  const int next = (transport.rank() + 1) % transport.size();
  const int previous = (transport.rank() + transport.size() - 1) % transport.size();
  for (int i = 0; i < 2000; ++i) {
    std::byte* slot = nullptr;
    while ((slot = transport.lane(next).acquire(4096)) == nullptr) mailbox.step();
    transport.lane(next).commit(0);
  }
  for (std::size_t number = 0; number < 50; ++number) {
    std::byte* slot = nullptr;
    while ((slot = transport.lane(next).acquire(4096)) == nullptr) mailbox.step();
    const Bytes data = patterned(number, 24);
    std::memcpy(slot, data.data(), data.size());
    transport.lane(next).commit(data.size());
  }
  for (std::size_t number = 0; number < 50; ++number) {
    const Letter letter = mailbox.receive(previous);
    ASSERT_EQ(letter.bytes.size(), 24u);
    ASSERT_TRUE(matches(number, letter.bytes));
  }
}

/// Sends until the transport has refused for 50 ms. Returns: has it, before too many messages?
bool send_until_refused(Transport& transport, int receiver) {
  constexpr std::size_t most_messages = 100'000;
  constexpr std::size_t message_bytes = 2048;
  std::int64_t refused_since = 0;
  for (std::size_t sent = 0; sent < most_messages;) {
    std::byte* slot = transport.lane(receiver).acquire(message_bytes);
    if (slot == nullptr) {
      if (refused_since == 0) refused_since = base::now_ns();
      if (base::now_ns() - refused_since > 50'000'000) return true;
      transport.arrivals().wait(0, 1000);
      continue;
    }
    refused_since = 0;
    const Bytes data = patterned(sent++, message_bytes);
    std::memcpy(slot, data.data(), data.size());
    transport.lane(receiver).commit(data.size());
  }
  return false;
}

/// Rank 0 sends to rank 1, which does not poll for a while, until the transport refuses; then
/// everything must arrive. A sender that gets little of its core is not done when the while is
/// over: it says so, and both try again with a longer one.
void back_pressure_is_a_return_value(Transport& transport) {
  constexpr std::int64_t longest_pause_ns = 6'400'000'000;
  Mailbox mailbox(transport);
  const int receiver = transport.size() > 1 ? 1 : 0;
  if (transport.rank() > receiver) return;
  bool was_refused = false;
  for (std::int64_t pause_ns = 400'000'000; !was_refused && pause_ns <= longest_pause_ns;
       pause_ns *= 4) {
    if (transport.rank() == 0) {
      was_refused = send_until_refused(transport, receiver);
      mailbox.send(receiver, Bytes{static_cast<std::byte>(was_refused)});
    }
    if (transport.rank() != receiver) continue;
    const std::int64_t begin = base::now_ns();
    while (receiver != 0 && base::now_ns() - begin < pause_ns) transport.arrivals().wait(0, 1000);
    std::size_t received = 0;
    Letter letter = mailbox.receive();
    for (; letter.bytes.size() != 1; letter = mailbox.receive()) {
      ASSERT_TRUE(matches(received++, letter.bytes));
    }
    EXPECT_GT(received, 0u);
    was_refused = letter.bytes.front() != std::byte{0};
  }
  EXPECT_TRUE(was_refused) << "all messages were taken though nobody polled";
}

/// A flood to a receiver that takes its time: the memory of both must not grow with the flood.
void flood_keeps_memory_bounded(Transport& transport) {
  constexpr std::size_t message_count = 60'000;
  constexpr std::size_t message_bytes = 4096;
  constexpr std::size_t growth_most_bytes = std::size_t{96} << 20;
  if (transport.size() < 2) return;
  Mailbox mailbox(transport);
  mailbox.barrier();
  const std::size_t before = test::resident_bytes();
  if (transport.rank() != 0) {
    const Bytes data = patterned(1, message_bytes);
    for (std::size_t i = 0; i < message_count; ++i) mailbox.send(0, data);
    mailbox.receive(0);
  } else {
    const std::size_t total = message_count * static_cast<std::size_t>(transport.size() - 1);
    for (std::size_t i = 0; i < total; ++i) {
      if (i < 100) ::usleep(3000);
      ASSERT_EQ(mailbox.receive().bytes.size(), message_bytes);
    }
    for (int peer = 1; peer < transport.size(); ++peer) mailbox.send(peer, patterned(1, 1));
  }
#ifndef __SANITIZE_ADDRESS__  // which keeps what has been freed
  EXPECT_LT(test::resident_bytes(), before + growth_most_bytes);
#else
  static_cast<void>(before + growth_most_bytes);
#endif
  mailbox.barrier();
}

void counters_are_exact(Transport& transport) {
  constexpr std::size_t message_count = 40;
  constexpr std::size_t bulk_bytes = 100'000;
  Mailbox mailbox(transport);
  const Counters before_receiving = transport.counters();
  mailbox.barrier();  // nobody sends before all have read their counters
  const Counters before = transport.counters();
  const int next = (transport.rank() + 1) % transport.size();
  const Bytes data = patterned(3, 100);
  for (std::size_t i = 0; i < message_count; ++i) mailbox.send(next, data);
  const Bytes bulk = patterned(4, bulk_bytes);
  Flag sent;
  mailbox.send_bulk(next, data, bulk, &sent);
  const int previous = (transport.rank() + transport.size() - 1) % transport.size();
  for (std::size_t i = 0; i < message_count; ++i) mailbox.receive(previous);
  const Letter letter = mailbox.receive(previous);
  Bytes destination(letter.bulk_bytes);
  Flag received;
  transport.lane(letter.source).accept(letter.bulk_token, destination.data(), &received);
  mailbox.wait_for(received);
  mailbox.wait_for(sent);
  const Counters& after = transport.counters();
  EXPECT_EQ(after.sends - before.sends, message_count + 1);
  EXPECT_EQ(after.receives - before_receiving.receives, mailbox.taken_count());
  EXPECT_EQ(after.bytes_sent - before.bytes_sent, (message_count + 1) * 100 + bulk_bytes);
  EXPECT_EQ(after.bytes_received - before_receiving.bytes_received, mailbox.taken_bytes());
  EXPECT_GT(after.probes, before.probes);
  EXPECT_EQ(after.received_in_place - before_receiving.received_in_place, mailbox.taken_count());
  // Bulk data are copied once, or never where the network brings them.
  const std::uint64_t copied = after.received_copied - before_receiving.received_copied;
  EXPECT_LE(copied, 1U);
  const std::string name = transport.name();
  if (name != "mpi" && name != "ucx") {
    EXPECT_EQ(copied, 1U);
  }
  EXPECT_EQ(after.bytes_copied - before_receiving.bytes_copied, copied * bulk_bytes);
}

// ---- waiting -----------------------------------------------------------------------------------

void wait_ends_when_something_arrives(Transport& transport) {
  if (transport.size() < 2) return;
  Mailbox mailbox(transport);
  for (int turn = 0; turn < 3; ++turn) {
    mailbox.barrier();
    if (transport.rank() == 0) {
      ::usleep(30'000);
      for (int peer = 1; peer < transport.size(); ++peer) mailbox.send(peer, patterned(1, 8));
      continue;
    }
    mailbox.wait_most_us = 20'000'000;
    const std::int64_t begin = base::now_ns();
    mailbox.receive(0);
    EXPECT_LT(base::now_ns() - begin, 5'000'000'000);
  }
  mailbox.barrier();
}

void wait_ends_in_time(Transport& transport) {
  const std::int64_t begin = base::now_ns();
  for (std::uint64_t idle = 0; idle < 100; ++idle) transport.arrivals().wait(idle, 2000);
  for (std::uint64_t idle = 1 << 20; idle < (1 << 20) + 100; ++idle)
    transport.arrivals().wait(idle, 2000);
  EXPECT_LT(base::now_ns() - begin, 5'000'000'000);
}

/// A rank that sleeps for memory to change is woken by `notify`.
void notify_wakes_a_sleeper(Transport& transport) {
  if (transport.size() < 2 || transport.rank() > 1) return;
  Mailbox mailbox(transport);
  const int other = 1 - transport.rank();
  if (transport.memory().heap().committed_bytes == 0) {
    ASSERT_TRUE(transport.memory().grow_heap(4096));
  }
  volatile std::uint64_t* own = reinterpret_cast<std::uint64_t*>(transport.memory().heap().base);
  *own = 0;
  const auto address = reinterpret_cast<std::uintptr_t>(transport.memory().heap().base);
  mailbox.send(other, std::as_bytes(std::span(&address, 1)));
  std::uintptr_t theirs = 0;
  std::memcpy(&theirs, mailbox.receive(other).bytes.data(), sizeof(theirs));
  std::byte* mapped = transport.memory().map(other, theirs, 8);
  if (mapped == nullptr) return;
  if (transport.rank() == 0) {
    ::usleep(50'000);
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(mapped), 42, __ATOMIC_RELEASE);
    transport.memory().notify(1);
    return;
  }
  mailbox.wait_most_us = 20'000'000;
  const std::int64_t begin = base::now_ns();
  while (__atomic_load_n(own, __ATOMIC_ACQUIRE) != 42) mailbox.step();
  EXPECT_LT(base::now_ns() - begin, 5'000'000'000);
}

// ---- memory ------------------------------------------------------------------------------------

void heap_grows_and_can_be_mapped(Transport& transport) {
  Mailbox mailbox(transport);
  const std::size_t before = transport.memory().heap().committed_bytes;
  ASSERT_TRUE(transport.memory().grow_heap(300'000));
  ASSERT_TRUE(transport.memory().grow_heap(5'000'000));
  const HeapSegment& heap = transport.memory().heap();
  ASSERT_GE(heap.committed_bytes, before + 5'300'000);
  EXPECT_LE(heap.committed_bytes, heap.reserved_bytes);
  EXPECT_FALSE(transport.memory().grow_heap(heap.reserved_bytes + 1));
  std::byte* block = heap.base + heap.committed_bytes - 4096;
  for (std::size_t i = 0; i < 4096; ++i) {
    EXPECT_EQ(block[i], std::byte{0});
    block[i] = pattern(static_cast<std::uint64_t>(transport.rank()), i);
  }
  EXPECT_EQ(transport.memory().map(transport.rank(), reinterpret_cast<std::uintptr_t>(block), 4096),
            block);
  EXPECT_EQ(transport.memory().map(transport.rank(), reinterpret_cast<std::uintptr_t>(block), 4097),
            nullptr);
  int on_stack = 0;
  EXPECT_EQ(
      transport.memory().map(transport.rank(), reinterpret_cast<std::uintptr_t>(&on_stack), 4),
      nullptr);
  const int next = (transport.rank() + 1) % transport.size();
  const int previous = (transport.rank() + transport.size() - 1) % transport.size();
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  mailbox.send(next, std::as_bytes(std::span(&address, 1)));
  std::uintptr_t theirs = 0;
  std::memcpy(&theirs, mailbox.receive(previous).bytes.data(), sizeof(theirs));
  std::byte* mapped = transport.memory().map(previous, theirs, 4096);
  EXPECT_EQ(mapped != nullptr, transport.memory().shares(previous));
  if (mapped != nullptr) {
    EXPECT_TRUE(matches(static_cast<std::uint64_t>(previous), {mapped, 4096}));
    EXPECT_EQ(transport.memory().map(previous, theirs, heap.reserved_bytes), nullptr);
  }
  mailbox.barrier();
}

void private_memory_is_copied_or_refused(Transport& transport) {
  Mailbox mailbox(transport);
  Bytes own = patterned(static_cast<std::uint64_t>(transport.rank()), 10'000);
  const int next = (transport.rank() + 1) % transport.size();
  const int previous = (transport.rank() + transport.size() - 1) % transport.size();
  const auto address = reinterpret_cast<std::uintptr_t>(own.data());
  mailbox.send(next, std::as_bytes(std::span(&address, 1)));
  std::uintptr_t theirs = 0;
  std::memcpy(&theirs, mailbox.receive(previous).bytes.data(), sizeof(theirs));
  Bytes copy(own.size());
  const bool reads = transport.memory().get_private(previous, theirs, copy);
  if (reads) {
    EXPECT_TRUE(matches(static_cast<std::uint64_t>(previous), copy));
  }
  if (transport.capabilities().reads_private && previous != transport.rank()) {
    EXPECT_TRUE(reads);
  }
  mailbox.barrier();
  const bool writes = transport.memory().put_private(previous, theirs, patterned(77, own.size()));
  if (writes) mailbox.send(previous, patterned(0, 1));
  if (!writes) mailbox.send(previous, patterned(0, 2));
  const bool was_written = mailbox.receive(next).bytes.size() == 1;
  if (was_written) {
    EXPECT_TRUE(matches(77, own));
  }
  if (reads) {
    EXPECT_THROW(transport.memory().get_private(previous, 8, copy), error);
  }
  if (writes) {
    EXPECT_THROW(transport.memory().put_private(previous, 8, copy), error);
  }
  mailbox.barrier();
}

void scratch_is_one_for_the_node(Transport& transport) {
  Mailbox mailbox(transport);
  const std::span<std::byte> scratch = transport.memory().shared_scratch();
  if (scratch.empty()) return;
  const auto own = static_cast<std::size_t>(transport.rank());
  std::uint64_t* words = reinterpret_cast<std::uint64_t*>(scratch.data());
  ASSERT_GE(scratch.size(), 8 * static_cast<std::size_t>(transport.size()));
  EXPECT_EQ(__atomic_load_n(words + own, __ATOMIC_ACQUIRE), 0u);
  __atomic_store_n(words + own, own + 1, __ATOMIC_RELEASE);
  mailbox.barrier();
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(transport.size()); ++rank) {
    EXPECT_EQ(__atomic_load_n(words + rank, __ATOMIC_ACQUIRE), rank + 1);
  }
  mailbox.barrier();
  __atomic_store_n(words + own, 0, __ATOMIC_RELEASE);
}

constexpr std::array other_cases = {
    Case{"identity_is_consistent", &identity_is_consistent},
    Case{"messages_keep_their_order", &messages_keep_their_order},
    Case{"unsent_slots_are_given_back", &unsent_slots_are_given_back},
    Case{"back_pressure_is_a_return_value", &back_pressure_is_a_return_value, false, true},
    Case{"flood_keeps_memory_bounded", &flood_keeps_memory_bounded, false, true},
    Case{"counters_are_exact", &counters_are_exact},
    Case{"wait_ends_when_something_arrives", &wait_ends_when_something_arrives, false, true},
    Case{"wait_ends_in_time", &wait_ends_in_time, false, true},
    Case{"notify_wakes_a_sleeper", &notify_wakes_a_sleeper, false, true},
    Case{"heap_grows_and_can_be_mapped", &heap_grows_and_can_be_mapped},
    Case{"private_memory_is_copied_or_refused", &private_memory_is_copied_or_refused},
    Case{"scratch_is_one_for_the_node", &scratch_is_one_for_the_node},
};

}  // namespace

std::span<const Case> all_cases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> all(other_cases.begin(), other_cases.end());
    all.insert(all.end(), bulk_cases().begin(), bulk_cases().end());
    return all;
  }();
  return cases;
}

}  // namespace tasuki::transport::conformance
