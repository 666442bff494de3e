#include "rpc/rank/call_reporter.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <tasuki/detail/base/clock.hpp>
#include <utility>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds interval{100};
/// Of so many calls in an interval the front end is told one by one. A leased client makes some
/// thousands of short ones, which would keep the front end from other work.
constexpr std::size_t told_most = 256;

std::int64_t process_cpu_ns() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

double seconds_of(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

}  // namespace

CallReporter::CallReporter(FrontEndLink& front_end)
    : front_end_(front_end), thread_([this] { run(); }) {}

CallReporter::~CallReporter() {
  {
    const std::lock_guard guard(mutex_);
    is_over_ = true;
    changed_.notify_one();
  }
  thread_.join();
}

void CallReporter::begin_lease(std::int64_t number) {
  const std::lock_guard guard(mutex_);
  lease_ = number;
  calls_count_ = 0;
  moved_before_bytes_ = 0;
  is_asleep_ = true;
}

void CallReporter::end_lease() { send_news(true); }

void CallReporter::tell_now() { send_news(false); }

void CallReporter::send_news(bool ends_lease) {
  const std::lock_guard order(sending_);
  std::optional<json> news;
  {
    const std::lock_guard guard(mutex_);
    news = take_news();
    if (ends_lease) lease_ = 0;
  }
  if (news) front_end_.send(*news);
}

std::int64_t CallReporter::lease() const {
  const std::lock_guard guard(mutex_);
  return lease_;
}

std::int64_t CallReporter::call() const {
  const std::lock_guard guard(mutex_);
  return calls_count_;
}

void CallReporter::begin(CallSubject subject, const Socket& client) {
  const std::lock_guard guard(mutex_);
  client_ = &client;
  current_ = {++calls_count_, std::move(subject)};
  current_.begin_ns = current_.lap_ns = base::now_ns();
  current_.moved_before_bytes = client.moved_bytes();
  if (!std::exchange(is_asleep_, false)) return;
  changed_.notify_one();
}

void CallReporter::learn(CallSubject subject) {
  const std::lock_guard guard(mutex_);
  moved_before_bytes_ += moved_bytes();
  current_.subject = std::move(subject);
  current_.moved_before_bytes = client_->moved_bytes();
}

void CallReporter::expect(std::int64_t received_bytes, std::int64_t sent_bytes) {
  const std::lock_guard guard(mutex_);
  current_.received_bytes = received_bytes;
  current_.sent_bytes = sent_bytes;
}

void CallReporter::add_read(std::int64_t bytes) {
  const std::lock_guard guard(mutex_);
  current_.read_bytes += bytes;
}

void CallReporter::tell_kept(KeptNews kept) {
  const std::lock_guard guard(mutex_);
  kept_.push_back(std::move(kept));
}

void CallReporter::tell_freed(std::string name) {
  const std::lock_guard guard(mutex_);
  std::erase_if(kept_, [&](const KeptNews& one) { return one.name == name; });
  freed_.push_back(std::move(name));
}

void CallReporter::add_lap(Call& call) const {
  const std::int64_t now_ns = base::now_ns();
  const double lap_s = seconds_of(now_ns - std::exchange(call.lap_ns, now_ns));
  switch (call.state) {
    case CallState::computing:
      call.seconds.compute += lap_s;
      call.seconds.cpu += seconds_of(process_cpu_ns() - call.lap_cpu_ns);
      break;
    case CallState::sending:
      call.seconds.send += lap_s;
      break;
    default:
      call.seconds.receive += lap_s;
  }
}

RankSeconds CallReporter::enter(CallState state) {
  const std::lock_guard guard(mutex_);
  add_lap(current_);
  current_.state = state;
  if (state == CallState::computing) current_.lap_cpu_ns = process_cpu_ns();
  return current_.seconds;
}

void CallReporter::end(CallState state, std::string happened) {
  const std::lock_guard guard(mutex_);
  add_lap(current_);
  current_.state = state;
  current_.happened = std::move(happened);
  moved_before_bytes_ += moved_bytes();
  client_ = nullptr;
  used_.insert(current_.subject.used.begin(), current_.subject.used.end());
  const bool is_call = current_.subject.kind == "call";
  if (state != CallState::done || !is_call || ended_.size() < told_most) {
    ended_.push_back(std::move(current_));
    return;
  }
  Others& others = others_[current_.subject.kind + ' ' + current_.subject.routine];
  ++others.calls_count;
  others.received_bytes += current_.received_bytes;
  others.sent_bytes += current_.sent_bytes;
  others.seconds.receive += current_.seconds.receive;
  others.seconds.compute += current_.seconds.compute;
  others.seconds.send += current_.seconds.send;
  others.seconds.cpu += current_.seconds.cpu;
}

void CallReporter::run() {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_over_ || (lease_ != 0 && !is_asleep_); });
      changed_.wait_for(lock, interval, [&] { return is_over_; });
      if (is_over_) return;
    }
    const std::lock_guard order(sending_);
    std::optional<json> news;
    {
      const std::lock_guard guard(mutex_);
      if (lease_ != 0) news = take_news();
      // The front end wants to know of a call under way, though it is too new to be told of.
      is_asleep_ = !news && client_ == nullptr;
    }
    if (news) front_end_.send(*news);
  }
}

std::int64_t CallReporter::moved_bytes() const {
  const std::int64_t by_connection = client_->moved_bytes() - current_.moved_before_bytes;
  return by_connection + current_.read_bytes;
}

json CallReporter::description_of(const Call& call) const {
  std::int64_t received_bytes = call.received_bytes;
  std::int64_t sent_bytes = call.sent_bytes;
  if (!is_over(call.state)) {
    const std::int64_t moved = moved_bytes();
    received_bytes = std::min(received_bytes, moved);
    sent_bytes = std::clamp<std::int64_t>(moved - call.received_bytes, 0, sent_bytes);
  }
  json described = {{"call", call.number},
                    {"kind", call.subject.kind},
                    {"routine", call.subject.routine},
                    {"state", name_of(call.state)},
                    {"age_s", seconds_of(base::now_ns() - call.begin_ns)},
                    {"seconds", to_json(call.seconds)},
                    {"bytes",
                     {{"received", received_bytes},
                      {"to_receive", call.received_bytes},
                      {"sent", sent_bytes},
                      {"to_send", call.sent_bytes}}}};
  if (!call.subject.kept.empty()) described["kept"] = call.subject.kept;
  if (call.subject.waited_s > 0) described["waited_s"] = call.subject.waited_s;
  if (call.subject.is_in_memory) described["is_in_memory"] = true;
  if (!call.happened.empty()) described["happened"] = call.happened;
  return described;
}

void CallReporter::add_kept_news(json& news) {
  for (const KeptNews& one : std::exchange(kept_, {})) {
    news["kept"].push_back({{"name", one.name},
                            {"is_object", one.is_object},
                            {"bytes", one.bytes},
                            {"about", one.about}});
  }
  if (!used_.empty()) news["used"] = std::exchange(used_, {});
  if (!freed_.empty()) news["freed"] = std::exchange(freed_, {});
}

std::optional<json> CallReporter::take_news() {
  json news = {{"message", "calls"}, {"lease", lease_}, {"calls", json::array()}};
  for (const Call& one : ended_) news["calls"].push_back(description_of(one));
  for (const auto& [name, one] : others_) {
    const std::size_t space = name.find(' ');
    news["others"].push_back(
        {{"kind", name.substr(0, space)},
         {"routine", name.substr(space + 1)},
         {"calls", one.calls_count},
         {"seconds", to_json(one.seconds)},
         {"bytes", {{"received", one.received_bytes}, {"sent", one.sent_bytes}}}});
  }
  ended_.clear();
  others_.clear();
  if (client_ != nullptr &&
      base::now_ns() - current_.begin_ns > std::chrono::nanoseconds(interval).count()) {
    Call so_far = current_;
    add_lap(so_far);
    news["calls"].push_back(description_of(so_far));
    used_.insert(so_far.subject.used.begin(), so_far.subject.used.end());
  }
  if (news["calls"].empty() && !news.contains("others")) return {};
  add_kept_news(news);
  news["moved"] = moved_before_bytes_ + (client_ != nullptr ? moved_bytes() : 0);
  news["waits"] = client_ != nullptr && client_->is_waiting();
  news["ended"] = client_ != nullptr ? calls_count_ - 1 : calls_count_;
  return news;
}

}  // namespace tasuki::rpc
