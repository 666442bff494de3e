#include "rpc/sessions/session_table.hpp"

#include <algorithm>
#include <utility>

namespace tasuki::rpc {

SessionTable::~SessionTable() {
  cancel_all();
  for (auto& [number, session] : sessions_) {
    if (session.thread.joinable()) session.thread.join();
  }
}

int SessionTable::begin(SessionWork work, std::any owner) {
  const std::lock_guard guard(mutex_);
  const int number = last_ + 1;
  Session& session =
      sessions_.emplace(number, Session{std::move(work), std::move(owner)}).first->second;
  try {
    session.thread = std::thread([this, number, &session] { run(number, session); });
  } catch (...) {
    sessions_.erase(number);
    throw;
  }
  last_ = number;
  return number;
}

void SessionTable::run(int number, Session& session) {
  std::exception_ptr failure;
  try {
    session.work.run(number);
  } catch (...) {
    failure = std::current_exception();
  }
  std::unique_lock lock(mutex_);
  session.state = State::is_done;  // From here on nobody cancels it.
  lock.unlock();
  session.work = {};  // What it holds is free before anybody hears of the end.
  lock.lock();
  session.failure = std::move(failure);
  session.state = State::has_ended;
  ended_.notify_all();
}

bool SessionTable::has(int session) const {
  const std::lock_guard guard(mutex_);
  return session > 0 && session <= last_;
}

const SessionTable::Session* SessionTable::find(int session) const {
  const auto found = sessions_.find(session);
  return found == sessions_.end() ? nullptr : &found->second;
}

void SessionTable::note_awaited(int session, std::unique_lock<std::mutex>& lock) {
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return;  // Another thread has waited for it, too.
  found->second.was_awaited = true;
  std::thread thread = std::move(found->second.thread);
  if (found->second.failure == nullptr) sessions_.erase(found);
  if (!thread.joinable()) return;
  lock.unlock();
  thread.join();
  lock.lock();
}

std::vector<int> SessionTable::wait_for_all(std::span<const int> sessions) {
  std::vector<int> failed;
  std::unique_lock lock(mutex_);
  for (const int one : sessions) {
    ended_.wait(lock, [&] {
      const Session* const session = find(one);
      return session == nullptr || session->has_ended();
    });
    note_awaited(one, lock);
    if (find(one) != nullptr) failed.push_back(one);
  }
  return failed;
}

std::vector<int> SessionTable::not_awaited() const {
  std::vector<int> numbers;
  for (const auto& [number, session] : sessions_) {
    if (!session.was_awaited) numbers.push_back(number);
  }
  return numbers;
}

std::vector<int> SessionTable::wait_for_all() {
  std::unique_lock lock(mutex_);
  const std::vector<int> all = not_awaited();
  lock.unlock();
  return wait_for_all(all);
}

std::optional<int> SessionTable::find_ended(std::span<const int> sessions) const {
  const auto found = std::ranges::find_if(sessions, [this](int one) {
    const Session* const session = find(one);
    return session != nullptr && session->has_ended() && !session->was_awaited;
  });
  if (found == sessions.end()) return {};
  return *found;
}

bool SessionTable::is_any_not_awaited(std::span<const int> sessions) const {
  return std::ranges::any_of(sessions, [this](int one) {
    const Session* const session = find(one);
    return session != nullptr && !session->was_awaited;
  });
}

template <class Sessions>
std::optional<int> SessionTable::wait_for_one_of(Sessions sessions) {
  std::optional<int> found;
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] {
    const auto& of = sessions();
    found = find_ended(of);
    return found || !is_any_not_awaited(of);
  });
  if (found) note_awaited(*found, lock);
  return found;
}

std::optional<int> SessionTable::wait_for_one(std::span<const int> sessions) {
  return wait_for_one_of([&] { return sessions; });
}

std::optional<int> SessionTable::wait_for_one() {
  return wait_for_one_of([this] { return not_awaited(); });
}

bool SessionTable::has_ended(int session) const {
  const std::lock_guard guard(mutex_);
  const Session* const found = find(session);
  return found == nullptr || found->has_ended();
}

std::optional<int> SessionTable::ended_one(std::span<const int> sessions) const {
  const std::lock_guard guard(mutex_);
  return find_ended(sessions);
}

std::exception_ptr SessionTable::failure_of(int session) const {
  const std::lock_guard guard(mutex_);
  const Session* const found = find(session);
  return found == nullptr ? nullptr : found->failure;
}

std::any SessionTable::owner_of(int session) const {
  const std::lock_guard guard(mutex_);
  const Session* const found = find(session);
  return found == nullptr ? std::any() : found->owner;
}

void SessionTable::cancel_now(Session& session) {
  if (session.state != State::runs || session.is_cancelled) return;
  session.is_cancelled = true;
  session.work.cancel();
}

void SessionTable::cancel(int session) {
  const std::lock_guard guard(mutex_);
  const auto found = sessions_.find(session);
  if (found != sessions_.end()) cancel_now(found->second);
}

void SessionTable::cancel_all() {
  const std::lock_guard guard(mutex_);
  for (auto& [number, session] : sessions_) cancel_now(session);
}

}  // namespace tasuki::rpc
