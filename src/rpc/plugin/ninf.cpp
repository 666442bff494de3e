#include <tasuki/ninf.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <tasuki/error.hpp>
#include <vector>

#include "rpc/plugin/last_error.hpp"
#include "rpc/sessions/client_pool.hpp"
#include "rpc/sessions/routine_call.hpp"
#include "rpc/sessions/routine_url.hpp"
#include "rpc/sessions/server_address.hpp"
#include "rpc/sessions/session_table.hpp"
#include "rpc/sessions/variable_arguments.hpp"

namespace {

using tasuki::rpc::ClientPool;
using tasuki::rpc::RoutineCall;
using tasuki::rpc::RoutineUrl;
using tasuki::rpc::SessionTable;

/// Of the whole program. Never destroyed: sessions may go on when the program ends.
struct Ninf {
  std::mutex mutex = {};
  std::string server = {};  ///< Of calls that name none; else that of the setting. By the mutex.
  ClientPool clients{};
  SessionTable sessions = {};
};

Ninf& ninf() {
  static auto* const one = new Ninf;
  return *one;
}

int& last_result() noexcept {
  thread_local int last = NINF_OK;
  return last;
}

/// What `work` returns; NINF_ERROR, and keeps the error, if it throws.
template <class Work>
int or_error(Work work) {
  last_result() = NINF_OK;
  try {
    return work();
  } catch (...) {
    tasuki::rpc::keep_current_error();
  }
  last_result() = NINF_ERROR;
  return NINF_ERROR;
}

std::string server_of(const RoutineUrl& url) {
  if (!url.server.empty()) return url.server;
  const std::lock_guard guard(ninf().mutex);
  return ninf().server.empty() ? tasuki::rpc::usual_servers() : ninf().server;
}

RoutineCall prepare(const char* routine, std::va_list arguments) {
  if (routine == nullptr) {
    throw tasuki::error("call a routine", "its name is NULL", "name one");
  }
  const RoutineUrl url = tasuki::rpc::routine_url(routine);
  ClientPool::Taken client = ninf().clients.take(server_of(url));
  const auto found = tasuki::rpc::find_routine(client->modules(), url.routine);
  tasuki::rpc::CallArguments read = tasuki::rpc::arguments_from(found.routine, arguments);
  return {std::move(client), found, std::move(read)};
}

/// Throws tasuki::error if there is none.
void check(int session) {
  if (ninf().sessions.has(session)) return;
  throw tasuki::error("wait for a session", fmt::format("there is no session {}", session),
                      "give a number that Ninf_call_async has returned");
}

std::span<const int> checked(const int* sessions, int length) {
  const std::span all(sessions, static_cast<std::size_t>(length));
  for (const int one : all) check(one);
  return all;
}

/// Throws what the session has thrown.
void rethrow_failure(int session) {
  if (const auto failure = ninf().sessions.failure_of(session)) std::rethrow_exception(failure);
}

int ended_well(const std::vector<int>& failed) {
  if (!failed.empty()) rethrow_failure(failed.front());
  return NINF_OK;
}

/// Keeps the error of a session that has failed.
int ended(std::optional<int> session) {
  if (!session) {
    throw tasuki::error("wait for a session", "there is none that nobody has waited for",
                        "begin one by Ninf_call_async");
  }
  try {
    rethrow_failure(*session);
  } catch (...) {
    tasuki::rpc::keep_current_error();
    last_result() = NINF_ERROR;
  }
  return *session;
}

/// Takes `name VALUE` out of the arguments. Returns: the value, or `usual`.
std::string taken(std::vector<char*>& arguments, std::string_view name, std::string usual) {
  for (std::size_t i = 1; i + 1 < arguments.size(); ++i) {
    if (name != arguments[i]) continue;
    std::string value = arguments[i + 1];
    arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(i),
                    arguments.begin() + static_cast<std::ptrdiff_t>(i) + 2);
    return value;
  }
  return usual;
}

}  // namespace

int Ninf_parse_arg(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  const std::string host = taken(arguments, "-server", "");
  const std::string port = taken(arguments, "-port", "");
  if (!host.empty() || !port.empty()) {
    const std::lock_guard guard(ninf().mutex);
    ninf().server = fmt::format("tasuki://{}:{}", host.empty() ? "localhost" : host,
                                port.empty() ? std::to_string(tasuki::rpc::default_port) : port);
  }
  std::ranges::copy(arguments, argv);
  argv[arguments.size()] = nullptr;
  return static_cast<int>(arguments.size());
}

int Ninf_call(const char* routine, ...) {
  std::va_list arguments;
  va_start(arguments, routine);
  const int result = or_error([&] {
    prepare(routine, arguments)();
    return static_cast<int>(NINF_OK);
  });
  va_end(arguments);
  return result;
}

int Ninf_call_async(const char* routine, ...) {
  std::va_list arguments;
  va_start(arguments, routine);
  const int result = or_error(
      [&] { return ninf().sessions.begin(RoutineCall::in_session(prepare(routine, arguments))); });
  va_end(arguments);
  return result;
}

int Ninf_wait(int session) { return Ninf_wait_and(&session, 1); }

int Ninf_wait_and(const int* sessions, int length) {
  return or_error(
      [&] { return ended_well(ninf().sessions.wait_for_all(checked(sessions, length))); });
}

int Ninf_wait_or(const int* sessions, int length) {
  return or_error([&] { return ended(ninf().sessions.wait_for_one(checked(sessions, length))); });
}

int Ninf_wait_all() {
  return or_error([] { return ended_well(ninf().sessions.wait_for_all()); });
}

int Ninf_wait_any() {
  return or_error([] { return ended(ninf().sessions.wait_for_one()); });
}

int Ninf_probe(int session) {
  return or_error([&] {
    check(session);
    return ninf().sessions.has_ended(session) ? 1 : 0;
  });
}

int Ninf_cancel(int session) {
  return or_error([&] {
    check(session);
    ninf().sessions.cancel(session);
    return static_cast<int>(NINF_OK);
  });
}

int Ninf_cancel_all() {
  return or_error([] {
    ninf().sessions.cancel_all();
    return static_cast<int>(NINF_OK);
  });
}

int Ninf_error() { return last_result(); }

void Ninf_perror(const char* text) {
  std::fprintf(stderr, "%s: %s\n", text, tasuki::rpc::last_error().text.c_str());
}
