#include <tasuki/detail/containers/box_exchange.hpp>

#include <algorithm>
#include <tasuki/call.hpp>
#include <tasuki/collectives.hpp>
#include <tasuki/detail/containers/exchange.hpp>
#include <tasuki/error.hpp>
#include <tasuki/spawn.hpp>
#include <tasuki/team_array.hpp>
#include <utility>

namespace tasuki::containers {
namespace {

std::size_t bytes_of(const std::vector<MemoryBox>& boxes) {
  std::size_t bytes = 0;
  for (const MemoryBox& box : boxes) bytes += box.bytes();
  return bytes;
}

/// The shortest message that may wait for its target.
std::size_t long_least_bytes() {
  runtime::Rank& self = runtime::Rank::current();
  const transport::Capabilities can = self.transport.capabilities();
  std::size_t least_bytes = self.sender.largest_record_bytes() / 2;
  for (const std::size_t bytes : {can.bulk_least_bytes, can.posted_least_bytes}) {
    if (bytes != 0) least_bytes = std::min(least_bytes, bytes);
  }
  return least_bytes;
}

}  // namespace

BoxExchange::BoxExchange(const Team& team, std::vector<SharedBoxes> shared, const char* operation)
    : operation_(operation) {
  for (SharedBoxes& boxes : shared) {
    const std::size_t sent_bytes = bytes_of(boxes.sent);
    const std::size_t received_bytes = bytes_of(boxes.received);
    if (sent_bytes + received_bytes == 0) continue;
    links_.push_back({std::move(boxes), sent_bytes, received_bytes});
  }
  try {
    find_slots(team);
  } catch (...) {
    delete_(mailboxes_);  // The destructor will not run. All ranks throw, so nobody writes there.
    throw;
  }
}

BoxExchange::~BoxExchange() {
  const bool is_job_over = runtime::Rank::current_or_null() == nullptr;
  if (!is_under_way_ && !is_job_over) delete_(mailboxes_);
}

/// A slot of the given number in a mailbox whose slots take so many bytes.
BoxExchange::Slot BoxExchange::slot_at(GlobalPtr<Line> mailbox, std::size_t bytes,
                                       std::size_t number) {
  const std::size_t lines = 1 + (bytes + sizeof(Line) - 1) / sizeof(Line);
  Line* const first = mailbox.raw() + number * lines;
  return {{mailbox.rank(), reinterpret_cast<std::uint64_t*>(first->bytes)},
          {mailbox.rank(), first[1].bytes}};
}

void BoxExchange::find_slots(const Team& team) {
  std::vector<std::size_t> firsts;  // The line at which the mailbox of each link begins.
  std::size_t lines = 0;
  for (const Link& link : links_) {
    firsts.push_back(lines);
    lines += 2 * (1 + (link.received_bytes + sizeof(Line) - 1) / sizeof(Line));
  }
  const auto all = new_array<Line>(std::max<std::size_t>(lines, 1), team);
  mailboxes_ = all[static_cast<std::size_t>(team.rank())];
  std::vector<GlobalPtr<Line>> told(static_cast<std::size_t>(team.size()));
  for (std::size_t i = 0; i < links_.size(); ++i) {
    told[static_cast<std::size_t>(links_[i].boxes.rank)] =
        mailboxes_ + static_cast<std::ptrdiff_t>(firsts[i]);
  }
  std::vector<GlobalPtr<Line>> theirs(told.size());
  alltoall(std::span<const GlobalPtr<Line>>(told), std::span(theirs), team);
  do_on_all(operation_, team, [&] {
    for (Link& link : links_) {
      const auto rank = static_cast<std::size_t>(link.boxes.rank);
      connect(link, told[rank], theirs[rank]);
    }
    return true;
  });
}

/// Each rank by itself, between its mailbox for the other one and that of the other one for it.
void BoxExchange::connect(Link& link, GlobalPtr<Line> own, GlobalPtr<Line> theirs) const {
  for (std::size_t number = 0; number < 2; ++number) {
    link.own[number] = slot_at(own, link.received_bytes, number);
    Slot& slot = link.theirs[number] = slot_at(theirs, link.sent_bytes, number);
    if (link.sent_bytes == 0) continue;
    slot.addressable = runtime::local_view(runtime::Rank::current(), slot.data.internal_place(),
                                           link.sent_bytes, operation_);
    if (slot.addressable != nullptr) continue;
    link.packed = std::make_shared_for_overwrite<std::byte[]>(link.sent_bytes);
    link.is_long = link.sent_bytes >= long_least_bytes();
  }
}

// The mailboxes end with the job, so both ask for the rank first.
void BoxExchange::start(const std::byte* memory) {
  static_cast<void>(runtime::Rank::current());
  if (is_under_way_) {
    throw error(operation_, "start() is called while an exchange is under way",
                "call finish() before the next start()");
  }
  is_under_way_ = true;
  const std::size_t number = started_count_++ % 2;
  for (const Link& link : links_) {
    std::byte* packed =
        link.packed != nullptr ? link.packed.get() : link.theirs[number].addressable;
    for (const MemoryBox& box : link.boxes.sent) packed = box.pack(memory, packed);
  }
  // A rank that has its data may write into `memory`, so all are packed before.
  for (const Link& link : links_) send(link, link.theirs[number]);
  if (!sending_.empty()) yield();  // They begin.
  flush();
}

/// What is packed: where it is there already, the signal alone.
void BoxExchange::send(const Link& link, const Slot& slot) {
  const auto write = [slot, packed = link.packed, bytes = link.sent_bytes] {
    slot.data.nwrite_signal(packed.get(), packed == nullptr ? 0 : bytes, slot.arrived);
  };
  if (!link.is_long) return write();
  sending_.push_back(spawn(write));
}

void BoxExchange::finish(std::byte* memory) {
  static_cast<void>(runtime::Rank::current());
  if (!is_under_way_) {
    throw error(operation_, "finish() is called without an exchange that is under way",
                "call start() before");
  }
  const std::size_t number = (started_count_ - 1) % 2;
  const std::uint64_t arrivals = (started_count_ + 1) / 2;
  for (const Link& link : links_) {
    const Slot& slot = link.own[number];
    wait_signal(slot.arrived.raw(), arrivals);
    const std::byte* packed = slot.data.raw();
    for (const MemoryBox& box : link.boxes.received) packed = box.unpack(packed, memory);
  }
  for (Future<void>& sent : std::exchange(sending_, {})) sent.get();
  is_under_way_ = false;
}

}  // namespace tasuki::containers
