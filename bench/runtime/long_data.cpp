// bench_long_data: would long data of a call arrive earlier if their receiver had said beforehand
// where they may go? The numbers of docs/design/prediction.md are made by this program:
// tasuki run -n 2 --transport mpi --mpi ompi --no-node-shm -- build/release/bin/bench_long_data
//
// Two ranks send the data back and forth, each way of sending in turn, and half of that time is
// printed. The memory is always the same, so that nothing but the way differs.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "micro/quantile.hpp"
#include "micro/timing.hpp"
#include "runtime/calls/bulk_records.hpp"
#include "runtime/calls/dispatcher.hpp"

namespace tasuki::bench {
namespace {

using runtime::Rank;
using runtime::Reader;
using runtime::Writer;

constexpr int samples_count = 60;
constexpr int exchanges_per_sample = 10;
/// Less than what MPI libraries send before the receiver has said that it is ready: Open MPI over
/// TCP up to 64 KiB (btl_tcp_eager_limit).
constexpr std::size_t piece_bytes = std::size_t{32} << 10;

/// Where data arrive, whole or in pieces.
struct Destination : transport::Completion {
  explicit Destination(std::size_t bytes) : memory(bytes), arriving_bytes(bytes) {
    done = [](transport::Completion* self) {
      auto& it = *static_cast<Destination*>(self);
      it.arrived_bytes += it.arriving_bytes;
    };
  }
  std::vector<std::byte> memory;
  std::size_t arriving_bytes;  ///< By one completion.
  std::uint64_t arrived_bytes = 0;
  std::uint64_t awaited_bytes = 0;
  int posted_receive = transport::Lane::no_posted_receive;  ///< The peer's.
};

/// Of the exchange that is measured.
Destination* destination = nullptr;

int peer() { return 1 - rank(); }

// ---- the ways of sending -----------------------------------------------------------------------

void accept_data(Rank& self, int source, Reader& reader) {
  const auto at_bytes = reader.read<std::size_t>();
  runtime::accept_bulk(self, source, self.dispatcher->bulk_arrival().token,
                       destination->memory.data() + at_bytes, destination);
}

/// As the runtime sends long records: the receiver learns of the data by a message.
void send_announced(const std::vector<std::byte>& data, std::size_t most_bytes) {
  for (std::size_t at_bytes = 0; at_bytes < data.size(); at_bytes += most_bytes) {
    auto fill = [&](Writer& to) noexcept { to.write(at_bytes); };
    // The data are never changed, so that nobody has to be told when they have left.
    Rank::current().sender.send_bulk(peer(), &accept_data, sizeof at_bytes,
                                     runtime::FillReference(fill),
                                     std::span(data).subspan(at_bytes, most_bytes), nullptr);
  }
}

/// The receiver has posted a receive of `most_bytes` before, and has told its number.
void send_to_posted(const std::vector<std::byte>& data, std::size_t most_bytes) {
  for (std::size_t at_bytes = 0; at_bytes < data.size(); at_bytes += most_bytes) {
    Rank::current().sender.send_to_posted(peer(), destination->posted_receive,
                                          std::span(data).subspan(at_bytes, most_bytes), nullptr);
  }
}

void take_part(Rank& /*self*/, int /*source*/, Reader& reader) {
  const auto at_bytes = reader.read<std::size_t>();
  const std::size_t bytes = reader.left_bytes();
  reader.read_bytes(destination->memory.data() + at_bytes, bytes);
  destination->arrived_bytes += bytes;
}

/// Copied into messages and out of them, so that nothing has to be ready beforehand.
void send_in_messages(const std::vector<std::byte>& data, std::size_t /*most_bytes*/) {
  runtime::Sender& sender = Rank::current().sender;
  for (std::size_t at_bytes = 0; at_bytes < data.size();) {
    const std::size_t room_bytes =
        sender.payload_room_bytes(peer(), 2 * sizeof at_bytes) - sizeof at_bytes;
    const std::size_t bytes = std::min(room_bytes, data.size() - at_bytes);
    sender.send_record(peer(), &take_part, sizeof at_bytes + bytes, [&](Writer& to) noexcept {
      to.write(at_bytes);
      to.write_bytes(data.data() + at_bytes, bytes);
    });
    at_bytes += bytes;
  }
}

void take_values(const std::vector<std::byte>& values) {
  destination->arrived_bytes += values.size();
}

/// Does this rank post receives for the calls that it expects?
void clear_early(bool is_on) {
  runtime::EarlyReceives& receives = Rank::current().dispatcher->early_receives();
  is_on ? receives.start(false) : receives.stop();
}

/// A call as programs make it.
void send_call(const std::vector<std::byte>& data, std::size_t /*most_bytes*/) {
  post(peer(), take_values, data);
}

// ---- the comparison ----------------------------------------------------------------------------

struct Way {
  std::string name;
  void (*send)(const std::vector<std::byte>& data, std::size_t most_bytes);
  std::size_t most_bytes;  ///< In one piece.
  Destination* destination;
  const std::vector<std::byte>* data;
  bool is_cleared_early = false;
};

void wait_for_data() {
  destination->awaited_bytes += destination->memory.size();
  runtime::Waits::current().wait_until(
      [] { return destination->arrived_bytes == destination->awaited_bytes; },
      {fiber::WaitKind::transfer, peer()});
}

void exchange(const Way& way) {
  if (rank() == 1) wait_for_data();
  way.send(*way.data, way.most_bytes);
  if (rank() == 0) wait_for_data();
}

double sample_us(const Way& way) {
  destination = way.destination;
  clear_early(way.is_cleared_early);
  barrier();  // The peer knows, too, where they go.
  constexpr double ns_per_us = 1000;
  return mean_ns(exchanges_per_sample, [&] { exchange(way); }) / 2 / ns_per_us;
}

int post_receive(Destination& own) {
  const int number = Rank::current().transport.lane(peer()).post_receive(
      std::span(own.memory).first(own.arriving_bytes), &own);
  return allgather(number)[static_cast<std::size_t>(peer())];
}

/// Receives stay posted until the job ends, and so does where they go.
Destination& new_destination(std::size_t bytes, std::size_t most_bytes) {
  auto* const made = new Destination(bytes);
  made->arriving_bytes = most_bytes;
  return *made;
}

/// Kept until the job ends, as the last data leave some time after they were sent.
const std::vector<std::byte>& new_data(std::size_t bytes) {
  return *new std::vector<std::byte>(bytes);
}

std::vector<Way> ways_for(std::size_t bytes) {
  const std::vector<std::byte>* const data = &new_data(bytes);
  std::vector<Way> ways{{"announced", send_announced, bytes, &new_destination(bytes, bytes), data},
                        {"announced, in pieces", send_announced, piece_bytes,
                         &new_destination(bytes, piece_bytes), data}};
  // Over MPI messages are so short that this takes many times as long.
  if (Rank::current().transport.capabilities().bulk_least_bytes == 0) {
    ways.push_back({"in messages", send_in_messages, bytes, &new_destination(bytes, bytes), data});
  }
  for (const std::size_t most_bytes : {bytes, piece_bytes}) {
    Destination& posted = new_destination(bytes, most_bytes);
    posted.posted_receive = post_receive(posted);
    if (posted.posted_receive == transport::Lane::no_posted_receive) continue;
    ways.push_back({most_bytes == bytes ? "posted ahead" : "posted ahead, in pieces",
                    send_to_posted, most_bytes, &posted, data});
  }
  ways.push_back({"of a call", send_call, bytes, &new_destination(bytes, bytes), data});
  // Of another length than those of the other ways, for the receive stays.
  const std::size_t cleared_bytes = bytes + 1;
  ways.push_back({"of a call, cleared early", send_call, cleared_bytes,
                  &new_destination(cleared_bytes, cleared_bytes), &new_data(cleared_bytes), true});
  return ways;
}

void compare(std::size_t kib) {
  constexpr std::size_t bytes_in_kib = 1024;
  const std::vector<Way> ways = ways_for(kib * bytes_in_kib);
  std::vector<std::vector<double>> us(ways.size());
  for (int sample = 0; sample < samples_count; ++sample) {
    for (std::size_t turn = 0; turn < ways.size(); ++turn) {
      const std::size_t number = (turn + static_cast<std::size_t>(sample)) % ways.size();
      us[number].push_back(sample_us(ways[number]));
    }
  }
  if (rank() != 0) return;
  constexpr double half = 0.5;
  constexpr double quarter = 0.25;
  for (std::size_t number = 0; number < ways.size(); ++number) {
    fmt::print("{:>8} {:<26} {:>8.1f} {:>8.1f} {:>8.1f}\n", kib, ways[number].name,
               quantile(us[number], 0), quantile(us[number], quarter), quantile(us[number], half));
  }
}

void compare_all() {
  if (rank() == 0) {
    fmt::print("{:>8} {:<26} {:>8} {:>8} {:>8}\n", "KiB", "data are", "least us", "1st qu.",
               "median");
  }
  for (const std::size_t kib : {64, 128, 256, 1024}) compare(kib);
}

}  // namespace
}  // namespace tasuki::bench

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] { tasuki::bench::compare_all(); });
}
