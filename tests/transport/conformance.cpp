#include "transport/conformance.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <list>
#include <memory>
#include <numeric>
#include <tasuki/base/clock.hpp>
#include <tasuki/base/error.hpp>
#include <vector>

#include "transport/mailbox.hpp"

namespace tasuki::transport::conformance {
namespace {

using Bytes = std::vector<std::byte>;

/// Bytes that only this (salt, index) has.
std::byte pattern(std::uint64_t salt, std::size_t index) {
  const std::uint64_t mixed = (salt * 0x9e3779b97f4a7c15u) ^ (index * 0xff51afd7ed558ccdu);
  return static_cast<std::byte>(mixed >> 37);
}

Bytes patterned(std::uint64_t salt, std::size_t bytes) {
  Bytes data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = pattern(salt, i);
  return data;
}

bool matches(std::uint64_t salt, std::span<const std::byte> data) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data[i] != pattern(salt, i)) return false;
  }
  return true;
}

std::uint64_t salt_of(int source, int destination, std::size_t number) {
  return static_cast<std::uint64_t>(source) * 1'000'003 +
         static_cast<std::uint64_t>(destination) * 7919 + number * 31;
}

std::size_t resident_bytes() {
  std::size_t pages = 0;
  std::size_t resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr || std::fscanf(file, "%zu %zu", &pages, &resident) != 2) return 0;
  std::fclose(file);
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// ---- messages ----------------------------------------------------------------------------------

void identity_is_consistent(Transport& transport) {
  const Capabilities& capabilities = transport.capabilities();
  EXPECT_GE(capabilities.message_max_bytes, 4096u);
  EXPECT_GE(capabilities.bulk_header_max_bytes, 128u);
  ASSERT_GE(transport.size(), 1);
  EXPECT_GE(transport.rank(), 0);
  EXPECT_LT(transport.rank(), transport.size());
  EXPECT_TRUE(transport.same_node(transport.rank()));
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
    while ((slot = transport.acquire(next, 4096)) == nullptr) mailbox.step();
    transport.commit(next, 0);
  }
  for (std::size_t number = 0; number < 50; ++number) {
    std::byte* slot = nullptr;
    while ((slot = transport.acquire(next, 4096)) == nullptr) mailbox.step();
    const Bytes data = patterned(number, 24);
    std::memcpy(slot, data.data(), data.size());
    transport.commit(next, data.size());
  }
  for (std::size_t number = 0; number < 50; ++number) {
    const Letter letter = mailbox.receive(previous);
    ASSERT_EQ(letter.bytes.size(), 24u);
    ASSERT_TRUE(matches(number, letter.bytes));
  }
}

/// Rank 0 sends to rank 1, which does not poll, until the transport refuses; then everything must
/// arrive.
void back_pressure_is_a_return_value(Transport& transport) {
  constexpr std::size_t most_messages = 100'000;
  constexpr std::size_t message_bytes = 2048;
  Mailbox mailbox(transport);
  const int receiver = transport.size() > 1 ? 1 : 0;
  std::size_t sent = 0;
  bool was_refused = false;
  std::int64_t refused_since = 0;
  while (transport.rank() == 0 && sent < most_messages && !was_refused) {
    std::byte* slot = transport.acquire(receiver, message_bytes);
    if (slot == nullptr) {
      if (refused_since == 0) refused_since = base::now_ns();
      was_refused = base::now_ns() - refused_since > 50'000'000;
      transport.wait(0, 1000);
      continue;
    }
    refused_since = 0;
    const Bytes data = patterned(sent++, message_bytes);
    std::memcpy(slot, data.data(), data.size());
    transport.commit(receiver, data.size());
  }
  if (transport.rank() == 0) {
    EXPECT_TRUE(was_refused) << sent << " messages were taken though nobody polled";
    mailbox.send(receiver, patterned(0, 1));
  }
  if (transport.rank() == receiver) {
    const std::int64_t begin = base::now_ns();
    while (receiver != 0 && base::now_ns() - begin < 400'000'000) transport.wait(0, 1000);
    std::size_t received = 0;
    for (Letter letter = mailbox.receive(); letter.bytes.size() != 1; letter = mailbox.receive()) {
      ASSERT_TRUE(matches(received++, letter.bytes));
    }
    EXPECT_GT(received, 0u);
  }
}

/// A flood to a receiver that takes its time: the memory of both must not grow with the flood.
void flood_keeps_memory_bounded(Transport& transport) {
  constexpr std::size_t message_count = 60'000;
  constexpr std::size_t message_bytes = 4096;
  constexpr std::size_t growth_most_bytes = std::size_t{96} << 20;
  if (transport.size() < 2) return;
  Mailbox mailbox(transport);
  mailbox.barrier();
  const std::size_t before = resident_bytes();
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
  EXPECT_LT(resident_bytes(), before + growth_most_bytes);
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
  transport.accept(letter.bulk_token, destination.data(), &received);
  mailbox.wait_for(received);
  mailbox.wait_for(sent);
  const Counters& after = transport.counters();
  EXPECT_EQ(after.sends - before.sends, message_count + 1);
  EXPECT_EQ(after.receives - before_receiving.receives, mailbox.taken_count());
  EXPECT_EQ(after.bytes_sent - before.bytes_sent, (message_count + 1) * 100 + bulk_bytes);
  EXPECT_EQ(after.bytes_received - before_receiving.bytes_received, mailbox.taken_bytes());
  EXPECT_GT(after.probes, before.probes);
}

// ---- bulk --------------------------------------------------------------------------------------

constexpr std::array<std::size_t, 9> bulk_sizes = {0,     1,       100,           4096,     16'384,
                                                   65539, 262'144, (1 << 20) + 7, 3'000'001};

struct Incoming {
  int source = -1;
  std::size_t number = 0;
  Bytes data;
  Flag received;
};

/// Everybody to everybody at once, sizes from nothing to megabytes, several under way.
void bulk_goes_both_ways_at_once(Transport& transport) {
  Mailbox mailbox(transport);
  const auto size = static_cast<std::size_t>(transport.size());
  std::list<std::pair<Bytes, Flag>> outgoing;
  for (std::size_t number = 0; number < bulk_sizes.size(); ++number) {
    for (int peer = 0; peer < transport.size(); ++peer) {
      const std::uint64_t salt = salt_of(transport.rank(), peer, number);
      auto& [data, sent] = outgoing.emplace_back(patterned(salt, bulk_sizes[number]), Flag());
      mailbox.send_bulk(peer, std::as_bytes(std::span(&number, 1)), data, &sent);
    }
  }
  std::vector<std::size_t> next_number(size, 0);
  std::list<Incoming> incoming;
  for (std::size_t i = 0; i < size * bulk_sizes.size(); ++i) {
    const Letter letter = mailbox.receive();
    ASSERT_EQ(letter.kind, ArrivalKind::bulk);
    Incoming& in = incoming.emplace_back();
    std::memcpy(&in.number, letter.bytes.data(), sizeof(in.number));
    in.source = letter.source;
    EXPECT_EQ(in.number, next_number[static_cast<std::size_t>(in.source)]++);
    ASSERT_EQ(letter.bulk_bytes, bulk_sizes[in.number]);
    in.data.resize(letter.bulk_bytes);
    transport.accept(letter.bulk_token, in.data.data(), &in.received);
  }
  for (Incoming& in : incoming) {
    mailbox.wait_for(in.received);
    EXPECT_TRUE(matches(salt_of(in.source, transport.rank(), in.number), in.data))
        << bulk_sizes[in.number] << " bytes from " << in.source;
  }
  for (auto& [data, sent] : outgoing) mailbox.wait_for(sent);
  for (auto& [data, sent] : outgoing) EXPECT_EQ(sent.count, 1);
  for (Incoming& in : incoming) EXPECT_EQ(in.received.count, 1);
  EXPECT_TRUE(mailbox.all_were_aligned());
}

/// Announcements are released at once and accepted in reverse, a new one in between; the sender
/// changes its data as soon as it may.
void bulk_is_accepted_in_any_order(Transport& transport) {
  constexpr std::size_t bulk_count = 12;
  Mailbox mailbox(transport);
  const int next = (transport.rank() + 1) % transport.size();
  const auto bytes_of = [](std::size_t number) { return number * number * 9001; };
  struct Outgoing : Completion {
    Bytes data;
    bool is_done = false;
  };
  std::list<Outgoing> outgoing;
  for (std::size_t number = 0; number < bulk_count; ++number) {
    Outgoing& out = outgoing.emplace_back();
    out.data = patterned(number, bytes_of(number));
    out.done = [](Completion* self) {
      auto& finished = *static_cast<Outgoing*>(self);
      std::fill(finished.data.begin(), finished.data.end(), std::byte{0xee});
      finished.is_done = true;
    };
    mailbox.send_bulk(next, std::as_bytes(std::span(&number, 1)), out.data, &out);
  }
  std::vector<Letter> letters;
  for (std::size_t number = 0; number < bulk_count; ++number) letters.push_back(mailbox.receive());
  std::list<Incoming> incoming;
  for (std::size_t number = bulk_count; number-- > 0;) {
    ASSERT_EQ(letters[number].bulk_bytes, bytes_of(number));
    Incoming& in = incoming.emplace_back();
    in.number = number;
    in.data.resize(bytes_of(number));
    transport.accept(letters[number].bulk_token, in.data.data(), &in.received);
    mailbox.wait_for(in.received);
    EXPECT_TRUE(matches(number, in.data)) << "bulk " << number;
  }
  for (Outgoing& out : outgoing) {
    while (!out.is_done) mailbox.step();
  }
}

/// Messages do not overtake announcements nor the reverse.
void bulk_keeps_its_place_among_messages(Transport& transport) {
  constexpr std::size_t round_count = 60;
  Mailbox mailbox(transport);
  const int next = (transport.rank() + 1) % transport.size();
  const int previous = (transport.rank() + transport.size() - 1) % transport.size();
  const Bytes data = patterned(5, 50'000);
  const auto bytes_of = [](std::size_t number) { return number * 821 % 50'000; };
  Flag sent;
  std::list<Incoming> incoming;
  const auto take = [&](std::size_t number) {
    const Letter letter = mailbox.receive(previous);
    std::size_t got = 0;
    std::memcpy(&got, letter.bytes.data(), sizeof(got));
    EXPECT_EQ(got, number);
    EXPECT_EQ(letter.kind, number % 3 == 1 ? ArrivalKind::bulk : ArrivalKind::message);
    if (letter.kind != ArrivalKind::bulk) return;
    Incoming& in = incoming.emplace_back();
    in.data.resize(letter.bulk_bytes);
    transport.accept(letter.bulk_token, in.data.data(), &in.received);
  };
  int bulk_count = 0;
  for (std::size_t number = 0; number < round_count; ++number) {
    const auto bytes = std::as_bytes(std::span(&number, 1));
    if (number % 3 == 1) {
      mailbox.send_bulk(next, bytes, std::span(data).first(bytes_of(number)), &sent);
      ++bulk_count;
    } else {
      mailbox.send(next, bytes);
    }
    if (number >= 10) take(number - 10);
  }
  for (std::size_t number = round_count - 10; number < round_count; ++number) take(number);
  for (Incoming& in : incoming) {
    mailbox.wait_for(in.received);
    EXPECT_TRUE(matches(5, in.data));
  }
  mailbox.wait_for(sent, bulk_count);
}

/// Each rank fills the landings of the next one more often than data may be under way. Order is not
/// promised, so that the content is looked at after rounds of a single fill.
void landings_are_filled_again_and_again(Transport& transport) {
  constexpr std::array<std::size_t, 3> sizes = {5000, 80'000, 1'280'000};
  constexpr int rounds_count = 4;
  constexpr int fills_per_round = 70;
  Mailbox mailbox(transport);
  const int next = (transport.rank() + 1) % transport.size();
  const int previous = (transport.rank() + transport.size() - 1) % transport.size();
  for (const std::size_t bytes : sizes) {
    Bytes memory(bytes);
    Flag landed;
    const int own = transport.open_landing(previous, memory, &landed);
    mailbox.send(previous, std::as_bytes(std::span(&own, 1)));
    int theirs = 0;
    std::memcpy(&theirs, mailbox.receive(next).bytes.data(), sizeof theirs);
    const bool fills = theirs != Transport::no_landing;
    const bool is_filled = own != Transport::no_landing;
    const auto fill = [&](const Bytes& data) {
      Flag sent;
      while (fills && !transport.send_to_landing(next, theirs, data, &sent)) mailbox.step();
      mailbox.wait_for(sent, fills ? 1 : 0);
    };
    const Bytes wrong(bytes);
    for (int round = 1; round <= rounds_count; ++round) {
      for (int i = 1; i < fills_per_round; ++i) fill(wrong);
      mailbox.wait_for(landed, is_filled ? round * fills_per_round - 1 : 0);
      mailbox.barrier();
      fill(patterned(static_cast<std::uint64_t>(round), bytes));
      mailbox.wait_for(landed, is_filled ? round * fills_per_round : 0);
      EXPECT_TRUE(!is_filled || matches(static_cast<std::uint64_t>(round), memory)) << bytes;
      mailbox.barrier();
    }
    EXPECT_EQ(landed.count, is_filled ? rounds_count * fills_per_round : 0);
  }
}

void bulk_above_two_gigabytes(Transport& transport) {
  constexpr std::size_t bytes = (std::size_t{2} << 30) + 12'345;
  if (transport.rank() > 1) return;
  Mailbox mailbox(transport);
  const int other = transport.size() > 1 ? 1 - transport.rank() : 0;
  Flag sent;
  const auto data = std::make_unique_for_overwrite<std::byte[]>(bytes);
  if (transport.rank() == 0) {
    for (std::size_t i = 0; i < bytes; i += 4096) data[i] = pattern(11, i);
    data[bytes - 1] = std::byte{77};
    mailbox.send_bulk(other, {}, {data.get(), bytes}, &sent);
    if (other != 0) return mailbox.wait_for(sent);
  }
  const Letter letter = mailbox.receive();
  ASSERT_EQ(letter.bulk_bytes, bytes);
  const auto destination = std::make_unique<std::byte[]>(bytes);
  Flag received;
  transport.accept(letter.bulk_token, destination.get(), &received);
  mailbox.wait_for(received);
  if (other == 0 && transport.rank() == 0) mailbox.wait_for(sent);
  std::size_t wrong = destination[bytes - 1] == std::byte{77} ? 0 : 1;
  for (std::size_t i = 0; i < bytes; i += 4096) wrong += destination[i] != pattern(11, i) ? 1 : 0;
  EXPECT_EQ(wrong, 0u);
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
  for (std::uint64_t idle = 0; idle < 100; ++idle) transport.wait(idle, 2000);
  for (std::uint64_t idle = 1 << 20; idle < (1 << 20) + 100; ++idle) transport.wait(idle, 2000);
  EXPECT_LT(base::now_ns() - begin, 5'000'000'000);
}

/// A rank that sleeps for memory to change is woken by `notify`.
void notify_wakes_a_sleeper(Transport& transport) {
  if (transport.size() < 2 || transport.rank() > 1) return;
  Mailbox mailbox(transport);
  const int other = 1 - transport.rank();
  if (transport.heap().committed_bytes == 0) {
    ASSERT_TRUE(transport.grow_heap(4096));
  }
  volatile std::uint64_t* own = reinterpret_cast<std::uint64_t*>(transport.heap().base);
  *own = 0;
  const auto address = reinterpret_cast<std::uintptr_t>(transport.heap().base);
  mailbox.send(other, std::as_bytes(std::span(&address, 1)));
  std::uintptr_t theirs = 0;
  std::memcpy(&theirs, mailbox.receive(other).bytes.data(), sizeof(theirs));
  std::byte* mapped = transport.map(other, theirs, 8);
  if (mapped == nullptr) return;
  if (transport.rank() == 0) {
    ::usleep(50'000);
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(mapped), 42, __ATOMIC_RELEASE);
    transport.notify(1);
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
  const std::size_t before = transport.heap().committed_bytes;
  ASSERT_TRUE(transport.grow_heap(300'000));
  ASSERT_TRUE(transport.grow_heap(5'000'000));
  const HeapSegment& heap = transport.heap();
  ASSERT_GE(heap.committed_bytes, before + 5'300'000);
  EXPECT_LE(heap.committed_bytes, heap.reserved_bytes);
  EXPECT_FALSE(transport.grow_heap(heap.reserved_bytes + 1));
  std::byte* block = heap.base + heap.committed_bytes - 4096;
  for (std::size_t i = 0; i < 4096; ++i) {
    EXPECT_EQ(block[i], std::byte{0});
    block[i] = pattern(static_cast<std::uint64_t>(transport.rank()), i);
  }
  EXPECT_EQ(transport.map(transport.rank(), reinterpret_cast<std::uintptr_t>(block), 4096), block);
  EXPECT_EQ(transport.map(transport.rank(), reinterpret_cast<std::uintptr_t>(block), 4097),
            nullptr);
  int on_stack = 0;
  EXPECT_EQ(transport.map(transport.rank(), reinterpret_cast<std::uintptr_t>(&on_stack), 4),
            nullptr);
  const int next = (transport.rank() + 1) % transport.size();
  const int previous = (transport.rank() + transport.size() - 1) % transport.size();
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  mailbox.send(next, std::as_bytes(std::span(&address, 1)));
  std::uintptr_t theirs = 0;
  std::memcpy(&theirs, mailbox.receive(previous).bytes.data(), sizeof(theirs));
  std::byte* mapped = transport.map(previous, theirs, 4096);
  if (!transport.capabilities().maps_peers && previous != transport.rank()) {
    EXPECT_EQ(mapped, nullptr);
  }
  if (mapped != nullptr) {
    EXPECT_TRUE(matches(static_cast<std::uint64_t>(previous), {mapped, 4096}));
    EXPECT_EQ(transport.map(previous, theirs, heap.reserved_bytes), nullptr);
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
  const bool reads = transport.get_private(previous, theirs, copy);
  if (reads) {
    EXPECT_TRUE(matches(static_cast<std::uint64_t>(previous), copy));
  }
  if (!transport.capabilities().reads_private && previous != transport.rank()) {
    EXPECT_FALSE(reads);
  }
  mailbox.barrier();
  const bool writes = transport.put_private(previous, theirs, patterned(77, own.size()));
  if (writes) mailbox.send(previous, patterned(0, 1));
  if (!writes) mailbox.send(previous, patterned(0, 2));
  const bool was_written = mailbox.receive(next).bytes.size() == 1;
  if (was_written) {
    EXPECT_TRUE(matches(77, own));
  }
  if (reads) {
    EXPECT_THROW(transport.get_private(previous, 8, copy), error);
  }
  if (writes) {
    EXPECT_THROW(transport.put_private(previous, 8, copy), error);
  }
  mailbox.barrier();
}

void scratch_is_one_for_the_node(Transport& transport) {
  Mailbox mailbox(transport);
  std::byte* scratch = transport.shared_scratch();
  EXPECT_EQ(scratch == nullptr, transport.shared_scratch_bytes() == 0);
  if (scratch == nullptr) return;
  const auto own = static_cast<std::size_t>(transport.rank());
  std::uint64_t* words = reinterpret_cast<std::uint64_t*>(scratch);
  ASSERT_GE(transport.shared_scratch_bytes(), 8 * static_cast<std::size_t>(transport.size()));
  EXPECT_EQ(__atomic_load_n(words + own, __ATOMIC_ACQUIRE), 0u);
  __atomic_store_n(words + own, own + 1, __ATOMIC_RELEASE);
  mailbox.barrier();
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(transport.size()); ++rank) {
    EXPECT_EQ(__atomic_load_n(words + rank, __ATOMIC_ACQUIRE), rank + 1);
  }
  mailbox.barrier();
  __atomic_store_n(words + own, 0, __ATOMIC_RELEASE);
}

constexpr std::array cases = {
    Case{"identity_is_consistent", &identity_is_consistent},
    Case{"messages_keep_their_order", &messages_keep_their_order},
    Case{"unsent_slots_are_given_back", &unsent_slots_are_given_back},
    Case{"back_pressure_is_a_return_value", &back_pressure_is_a_return_value, false, true},
    Case{"flood_keeps_memory_bounded", &flood_keeps_memory_bounded, false, true},
    Case{"counters_are_exact", &counters_are_exact},
    Case{"bulk_goes_both_ways_at_once", &bulk_goes_both_ways_at_once},
    Case{"bulk_is_accepted_in_any_order", &bulk_is_accepted_in_any_order},
    Case{"bulk_keeps_its_place_among_messages", &bulk_keeps_its_place_among_messages},
    Case{"landings_are_filled_again_and_again", &landings_are_filled_again_and_again},
    Case{"bulk_above_two_gigabytes", &bulk_above_two_gigabytes, true, true},
    Case{"wait_ends_when_something_arrives", &wait_ends_when_something_arrives, false, true},
    Case{"wait_ends_in_time", &wait_ends_in_time, false, true},
    Case{"notify_wakes_a_sleeper", &notify_wakes_a_sleeper, false, true},
    Case{"heap_grows_and_can_be_mapped", &heap_grows_and_can_be_mapped},
    Case{"private_memory_is_copied_or_refused", &private_memory_is_copied_or_refused},
    Case{"scratch_is_one_for_the_node", &scratch_is_one_for_the_node},
};

}  // namespace

std::span<const Case> all_cases() noexcept { return cases; }

}  // namespace tasuki::transport::conformance
