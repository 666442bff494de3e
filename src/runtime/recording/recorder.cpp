#include "runtime/recording/recorder.hpp"

#include <pthread.h>

#include <array>
#include <exception>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

namespace tasuki::runtime {
namespace {

enum : std::uint16_t { message, idle };
constexpr std::array<events::FunctionName, 2> own_functions = {{
    {"message", static_cast<std::uint8_t>(events::Kind::send)},
    {"idle", static_cast<std::uint8_t>(events::Kind::idle)},
}};

/// A function's name without parameters and arguments of templates, as the file has little room:
/// "solve" of "solve(std::vector<double, std::allocator<double> > const&)".
std::string name_alone(const std::string& name) {
  std::string alone;
  int depth = 0;
  for (const char letter : name) {
    const bool closes = letter == ')' || letter == '>';
    if (letter == '(' || letter == '<') ++depth;
    if (depth == 0) alone += letter;
    if (closes && depth > 0) --depth;
  }
  // Brackets that are no pairs are a part of the name, as in "operator<".
  if (depth != 0) return name;
  constexpr std::string_view qualifier = " const";
  for (auto at = alone.find(qualifier); at != std::string::npos; at = alone.find(qualifier)) {
    alone.erase(at, qualifier.size());
  }
  return alone;
}

std::uint16_t flags_of(const Recorder::Handling& message) {
  return message.is_awaited ? std::uint16_t{0} : std::uint16_t{events::Flag::found_there};
}

}  // namespace

constinit thread_local Recorder* Recorder::current_ = nullptr;

std::unique_ptr<Recorder> Recorder::open(int rank, int rank_count, std::string_view transport,
                                         NameOf name_of) {
  const std::string folder = base::setting::profile_folder.text();
  if (folder.empty()) return nullptr;
  try {
    return std::make_unique<Recorder>(folder, rank, rank_count, transport, name_of);
  } catch (const error& failure) {
    base::report(std::string(failure.what()) + "\n  The program runs on without a profile.");
    return nullptr;
  }
}

Recorder::Recorder(const std::string& folder, int rank, int rank_count, std::string_view transport,
                   NameOf name_of)
    : file_(folder, static_cast<std::uint64_t>(base::setting::profile_events.integer()),
            own_functions, events::Recorded::runtime),
      name_of_(name_of) {
  file_.share_between_threads(false);
  events::Header& header = file_.header();
  header.rank_count = rank_count;
  events::copy_text(header.library, "Tasuki over " + std::string(transport));
  header.rank = rank;
  header.state = events::State::running;
  events::CommunicatorEntry all{};
  all.rank_count = static_cast<std::uint32_t>(rank_count);
  all.rank = rank;
  events::copy_text(all.name, "all ranks");
  file_.add_communicator(all);
  // A child has no part of its parent's file.
  ::pthread_atfork(nullptr, nullptr, [] { set_current(nullptr); });
}

void Recorder::finish() noexcept {
  close_idle();
  file_.read_clocks();
  file_.header().state = events::State::finalized;
}

events::Event& Recorder::open_event(Open& open, std::uint16_t function) noexcept {
  open.event = file_.append();
  if (open.event == nullptr) {
    open.spare = events::Event{};
    open.event = &open.spare;
  }
  events::Event& event = *open.event;
  event.function = function;
  event.communicator = events::no_communicator;
  event.destination = events::no_rank;
  event.source = events::no_rank;
  event.thread = thread_of(running_);
  event.enter_ticks = events::ticks_now();
  return event;
}

void Recorder::close(Open& open) noexcept {
  open.event->leave_ticks = events::ticks_now();
  if (open.event == &open.spare) file_.count(*open.event);
  open.event = nullptr;
}

void Recorder::begin(Handling& handling, int source, std::size_t message_bytes) noexcept {
  handling.is_awaited = idle_.event != nullptr;
  close_idle();
  running_ = {&handling, false};
  handling.source = source;
  handling.message_bytes = message_bytes;
  handling.enter_ticks = events::ticks_now();
}

void Recorder::end(Handling& handling, std::uintptr_t function, std::uintptr_t handler) {
  if (function != 0) note_called(handling, function);
  if (handling.event != nullptr) {
    free_threads_.push_back(handling.event->thread);
    close(handling);
  } else if (handling.is_message) {
    note_received(handling, number_of(handler, events::Kind::received,
                                      [&] { return name_alone(name_of_(handler)); }));
  }
  running_ = {};
}

void Recorder::received(int source, std::size_t bytes, const char* name) {
  Handling message;
  message.is_awaited = idle_.event != nullptr;
  close_idle();
  message.source = source;
  message.message_bytes = bytes;
  message.enter_ticks = events::ticks_now();
  note_received(message, number_of(name, events::Kind::received));
}

void Recorder::note_received(const Handling& message, std::uint16_t function) noexcept {
  Open open;
  events::Event& event = open_event(open, function);
  event.enter_ticks = message.enter_ticks;
  event.source = message.source;
  event.received_bytes = message.message_bytes;
  event.flags = flags_of(message);
  close(open);
}

void Recorder::note_called(Handling& handling, std::uintptr_t function) {
  if (handling.event != nullptr) return;
  const std::uint16_t number =
      number_of(function, events::Kind::called, [&] { return name_alone(name_of_(function)); });
  const std::uint16_t thread = free_thread();
  events::Event& event = open_event(handling, number);
  event.thread = thread;
  event.enter_ticks = handling.enter_ticks;
  event.source = handling.source;
  event.received_bytes = handling.message_bytes;
  event.flags = flags_of(handling);
}

std::uint16_t Recorder::free_thread() {
  if (free_threads_.empty()) return thread_count_++;
  const std::uint16_t thread = free_threads_.back();
  free_threads_.pop_back();
  return thread;
}

void Recorder::begin(Wait& wait, std::uintptr_t function, const fiber::WaitReason& reason) {
  wait.left = leave(function);
  if (wait.left.is_in_collective) return;
  const std::uint16_t number = number_of(reason);
  events::Event& event = open_event(wait, number);
  event.thread = thread_of(wait.left);
  event.destination = reason.rank;
}

void Recorder::end(Wait& wait) noexcept {
  come_back(wait.left);
  if (wait.event != nullptr) close(wait);
}

Recorder::Context Recorder::leave(std::uintptr_t function) {
  if (function != 0 && running_.handling != nullptr) note_called(*running_.handling, function);
  return std::exchange(running_, {});
}

void Recorder::come_back(Context context) noexcept {
  close_idle();
  running_ = context;
}

void Recorder::begin(Collective& collective, const CollectiveFacts& facts) {
  collective.left = running_;
  const auto kind = facts.is_blocking ? events::Kind::collective : events::Kind::started_collective;
  const std::uint16_t algorithm = number_of(facts.algorithm, events::Kind::algorithm);
  const std::uint16_t number = number_of(facts.name, kind);
  const std::uint16_t communicator = communicator_of(facts);
  events::Event& event = open_event(collective, number);
  event.communicator = communicator;
  event.destination = facts.root;
  event.tag = algorithm;
  event.sent_bytes = facts.sent_bytes;
  event.received_bytes = facts.received_bytes;
  running_.is_in_collective = true;
}

void Recorder::end(Collective& collective) noexcept {
  running_ = collective.left;
  close(collective);
}

void Recorder::sent(int rank, std::size_t bytes) noexcept {
  Open open;
  events::Event& event = open_event(open, message);
  event.communicator = 0;
  event.destination = rank;
  event.sent_bytes = bytes;
  close(open);
}

void Recorder::begin_idle() noexcept {
  if (idle_.event == nullptr) open_event(idle_, idle);
}

std::uint16_t Recorder::number_of(const fiber::WaitReason& reason) {
  switch (reason.kind) {
    case fiber::WaitKind::reply:
      return number_of(reason.function, events::Kind::wait,
                       [&] { return "the result of " + name_alone(name_of_(reason.function)); });
    case fiber::WaitKind::collective:
      return number_of(static_cast<const char*>(reason.object), events::Kind::wait);
    default:
      return number_of(fiber::describe(reason.kind), events::Kind::wait);
  }
}

std::uint16_t Recorder::number_of(const char* name, events::Kind kind) {
  return number_of(reinterpret_cast<std::uintptr_t>(name), kind, [name] { return name; });
}

template <class Name>
std::uint16_t Recorder::number_of(std::uintptr_t address, events::Kind kind, Name name) {
  constexpr unsigned kind_bits = 5;  // Addresses have 16 to spare.
  const auto [place, is_new] =
      numbers_.try_emplace(address << kind_bits | static_cast<std::uint64_t>(kind));
  if (is_new) place->second = file_.add_function(name(), kind);
  return place->second;
}

std::uint16_t Recorder::communicator_of(const CollectiveFacts& facts) {
  const auto [place, is_new] = communicators_.try_emplace(facts.team_id);
  if (is_new) {
    events::CommunicatorEntry entry{};
    entry.key = facts.team_id;
    entry.rank_count = static_cast<std::uint32_t>(facts.team_size);
    entry.rank = facts.team_rank;
    events::copy_text(entry.name, "team " + std::to_string(facts.team_id));
    place->second = file_.add_communicator(entry);
  }
  return place->second;
}

}  // namespace tasuki::runtime
