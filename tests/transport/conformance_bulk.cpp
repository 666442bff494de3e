// The conformance suite's cases about bulk data.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <list>
#include <memory>
#include <vector>

#include "transport/conformance.hpp"
#include "transport/mailbox.hpp"
#include "transport/pattern.hpp"

namespace tasuki::transport::conformance {
namespace {

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
    transport.lane(letter.source).accept(letter.bulk_token, in.data.data(), &in.received);
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
    transport.lane(letters[number].source)
        .accept(letters[number].bulk_token, in.data.data(), &in.received);
    mailbox.wait_for(in.received);
    EXPECT_TRUE(matches(number, in.data)) << "bulk " << number;
  }
  for (Outgoing& out : outgoing) {
    while (!out.is_done) mailbox.step();
  }
}

/// Everybody sends to everybody until the transport refuses (64 transfers between two ranks at
/// most), and accepts only what has come by then.
void more_bulk_than_may_be_under_way(Transport& transport) {
  const std::size_t bulk_count = 150 * static_cast<std::size_t>(transport.size());
  const auto peer_of = [&](std::size_t number) {
    return static_cast<int>(number % static_cast<std::size_t>(transport.size()));
  };
  const auto bytes_of = [](std::size_t number) { return 1500 + number * 97 % 9000; };
  Mailbox mailbox(transport);
  std::list<std::pair<Bytes, Flag>> outgoing;
  std::list<Incoming> incoming;
  std::vector<Letter> held;
  const auto accept_held = [&] {
    for (; !held.empty(); held.pop_back()) {
      Incoming& in = incoming.emplace_back();
      std::memcpy(&in.number, held.back().bytes.data(), sizeof(in.number));
      in.source = held.back().source;
      in.data.resize(held.back().bulk_bytes);
      transport.lane(held.back().source)
          .accept(held.back().bulk_token, in.data.data(), &in.received);
    }
  };
  while (outgoing.size() < bulk_count || incoming.size() < bulk_count) {
    const std::size_t number = outgoing.size();
    if (number < bulk_count) {
      const std::uint64_t salt = salt_of(transport.rank(), peer_of(number), number);
      auto& [data, sent] = outgoing.emplace_back(patterned(salt, bytes_of(number)), Flag());
      if (transport.lane(peer_of(number))
              .send_bulk(std::as_bytes(std::span(&number, 1)), data, &sent)) {
        continue;
      }
      outgoing.pop_back();
    }
    const std::size_t held_before = held.size();
    mailbox.step();
    while (mailbox.has_letter()) held.push_back(mailbox.receive());
    if (held.size() == held_before) accept_held();
  }
  for (Incoming& in : incoming) {
    mailbox.wait_for(in.received);
    EXPECT_EQ(in.data.size(), bytes_of(in.number));
    EXPECT_TRUE(matches(salt_of(in.source, transport.rank(), in.number), in.data)) << in.number;
  }
  for (auto& [data, sent] : outgoing) mailbox.wait_for(sent);
  mailbox.barrier();
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
    transport.lane(letter.source).accept(letter.bulk_token, in.data.data(), &in.received);
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

/// Each rank fills the pre-posted receives of the next one more often than data may be under way.
/// Order is not promised, so that the content is checked after rounds of a single fill.
void posted_receives_are_filled_again_and_again(Transport& transport) {
  constexpr std::array<std::size_t, 3> sizes = {5000, 80'000, 1'280'000};
  constexpr int rounds_count = 4;
  constexpr int fills_per_round = 70;
  Mailbox mailbox(transport);
  const int next = (transport.rank() + 1) % transport.size();
  const int previous = (transport.rank() + transport.size() - 1) % transport.size();
  for (const std::size_t bytes : sizes) {
    Bytes memory(bytes);
    Flag arrived;
    const int own = transport.lane(previous).post_receive(memory, &arrived);
    mailbox.send(previous, std::as_bytes(std::span(&own, 1)));
    int theirs = 0;
    std::memcpy(&theirs, mailbox.receive(next).bytes.data(), sizeof theirs);
    const bool fills = theirs != Lane::no_posted_receive;
    const bool is_filled = own != Lane::no_posted_receive;
    const auto fill = [&](const Bytes& data) {
      Flag sent;
      while (fills && !transport.lane(next).send_to_posted(theirs, data, &sent)) mailbox.step();
      mailbox.wait_for(sent, fills ? 1 : 0);
    };
    const Bytes wrong(bytes);
    for (int round = 1; round <= rounds_count; ++round) {
      for (int i = 1; i < fills_per_round; ++i) fill(wrong);
      mailbox.wait_for(arrived, is_filled ? round * fills_per_round - 1 : 0);
      mailbox.barrier();
      fill(patterned(static_cast<std::uint64_t>(round), bytes));
      mailbox.wait_for(arrived, is_filled ? round * fills_per_round : 0);
      EXPECT_TRUE(!is_filled || matches(static_cast<std::uint64_t>(round), memory)) << bytes;
      mailbox.barrier();
    }
    EXPECT_EQ(arrived.count, is_filled ? rounds_count * fills_per_round : 0);
  }
}

/// The data of several sends wait for one receive, which is posted again for each, elsewhere.
void single_receives_wait_to_be_posted_again(Transport& transport) {
  constexpr std::size_t bytes = 70'000;
  constexpr int sends_count = 20;
  Mailbox mailbox(transport);
  const int next = (transport.rank() + 1) % transport.size();
  const int previous = (transport.rank() + transport.size() - 1) % transport.size();
  Bytes memory(bytes);
  Flag arrived;
  const int own = transport.lane(previous).post_single_receive(memory, &arrived);
  mailbox.send(previous, std::as_bytes(std::span(&own, 1)));
  int theirs = 0;
  std::memcpy(&theirs, mailbox.receive(next).bytes.data(), sizeof theirs);
  Flag sent;
  const int sends = theirs == Lane::no_posted_receive ? 0 : sends_count;
  std::vector<Bytes> data;  // Kept until the other side has them.
  for (int number = 0; number < sends; ++number) {
    const Bytes& left = data.emplace_back(bytes, static_cast<std::byte>(number));
    while (!transport.lane(next).send_to_posted(theirs, left, &sent)) mailbox.step();
  }
  std::vector<int> seen(sends_count);
  for (int number = 0; own != Lane::no_posted_receive && number < sends_count; ++number) {
    mailbox.wait_for(arrived, number + 1);
    for (int step = 0; step < 100; ++step) mailbox.step();
    ASSERT_EQ(arrived.count, number + 1) << "data came to a receive that was not posted";
    EXPECT_EQ(std::count(memory.begin(), memory.end(), memory[0]), std::ptrdiff_t{bytes});
    ++seen.at(static_cast<std::size_t>(memory[0]));
    if (number + 1 == sends_count) break;
    memory = Bytes(bytes, std::byte{0xff});
    transport.lane(previous).post_again(own, memory.data());
  }
  mailbox.wait_for(sent, sends);
  if (own == Lane::no_posted_receive) return;
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), sends_count);
  transport.lane(previous).take_back(own);
  Bytes other(bytes);
  EXPECT_EQ(transport.lane(previous).post_single_receive(other, &arrived), own);
  transport.lane(previous).take_back(own);
}

/// However large the data, other arrivals have their turn while they are moved.
void large_bulk_leaves_room_for_messages(Transport& transport) {
  constexpr std::size_t bytes = std::size_t{96} << 20;
  // Of 24 pieces; several may have moved between two polls of a rank that shares its core.
  constexpr int turns_least = 4;
  if (transport.size() < 2 || std::strcmp(transport.name(), "loopback") == 0) return;
  Mailbox mailbox(transport);
  mailbox.barrier();
  Flag moved;
  const auto data = std::make_unique<std::byte[]>(bytes);
  if (transport.rank() == 1) {
    std::fill_n(data.get(), bytes, std::byte{5});
    mailbox.send_bulk(0, {}, {data.get(), bytes}, &moved);
    mailbox.wait_for(moved);
  } else if (transport.rank() == 0) {
    const Letter letter = mailbox.receive(1);
    transport.lane(letter.source).accept(letter.bulk_token, data.get(), &moved);
    int turns = 0;
    for (; moved.count == 0; ++turns) mailbox.step();
    EXPECT_GE(turns, turns_least);
    EXPECT_EQ(std::count(data.get(), data.get() + bytes, std::byte{5}),
              static_cast<std::ptrdiff_t>(bytes));
  }
  mailbox.barrier();
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
  transport.lane(letter.source).accept(letter.bulk_token, destination.get(), &received);
  mailbox.wait_for(received);
  if (other == 0 && transport.rank() == 0) mailbox.wait_for(sent);
  std::size_t wrong = destination[bytes - 1] == std::byte{77} ? 0 : 1;
  for (std::size_t i = 0; i < bytes; i += 4096) wrong += destination[i] != pattern(11, i) ? 1 : 0;
  EXPECT_EQ(wrong, 0u);
}

constexpr std::array cases = {
    Case{"bulk_goes_both_ways_at_once", &bulk_goes_both_ways_at_once},
    Case{"bulk_is_accepted_in_any_order", &bulk_is_accepted_in_any_order},
    Case{"more_bulk_than_may_be_under_way", &more_bulk_than_may_be_under_way},
    Case{"bulk_keeps_its_place_among_messages", &bulk_keeps_its_place_among_messages},
    Case{"posted_receives_are_filled_again_and_again", &posted_receives_are_filled_again_and_again},
    Case{"single_receives_wait_to_be_posted_again", &single_receives_wait_to_be_posted_again},
    Case{"large_bulk_leaves_room_for_messages", &large_bulk_leaves_room_for_messages},
    Case{"bulk_above_two_gigabytes", &bulk_above_two_gigabytes, true, true},
};

}  // namespace

std::span<const Case> bulk_cases() noexcept { return cases; }

}  // namespace tasuki::transport::conformance
