#include "rpc/server/server_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "rpc/server/server_metrics.hpp"
#include "rpc/web/http_connection.hpp"
#include "rpc/web/plain_refusal.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using Outcome = ServerControl::Outcome;

/// Connections at once of those who have shown no token; beyond, the one that has been there for
/// longest ends.
constexpr std::size_t strangers_most = 64;
/// Enough to fetch the page's files over a slow network; a browser connects again when it needs to.
constexpr std::chrono::seconds stranger_time{15};
/// Nobody tries many tokens.
constexpr std::chrono::milliseconds wrong_token_delay{500};

constexpr std::string_view bearer = "Bearer ";
constexpr const char* metrics_type = "text/plain; version=0.0.4; charset=utf-8";

const std::vector<std::pair<std::string, std::string>> safety_headers = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
     "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
};

/// Servers at other ports of this host have cookies of their own.
std::string cookie_name(const HttpRequest& request) {
  const std::string authority = request.header("host");
  const std::size_t colon = authority.rfind(':');
  const bool has_port = colon != std::string::npos && !authority.ends_with(']');
  return fmt::format("tasuki_{}", has_port ? authority.substr(colon + 1) : "token");
}

HttpResponse answer_json(const json& value) {
  HttpResponse response;
  response.content_type = "application/json";
  // Names come from others, and need not be UTF-8.
  response.body = value.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  response.headers = {{"Cache-Control", "no-store"}};
  return response;
}

HttpResponse answer_nothing(unsigned status) {
  HttpResponse response;
  response.status = status;
  response.headers = {{"Cache-Control", "no-store"}};
  return response;
}

HttpResponse set_cookie(const HttpRequest& request, bool is_encrypted, const std::string& value,
                        const char* attributes) {
  HttpResponse response = answer_nothing(204);
  response.headers.emplace_back(
      "Set-Cookie",
      fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict{}{}", cookie_name(request), value,
                  is_encrypted ? "; Secure" : "", attributes));
  return response;
}

/// Returns: nothing if the text is no number.
template <class Integer>
std::optional<Integer> number_in(const std::string& text) {
  Integer number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc() || last != end) return {};
  return number;
}

/// What a script gives; "" if it gives none.
std::string token_of(const HttpRequest& request) {
  const std::string given = request.header("authorization");
  return given.starts_with(bearer) ? given.substr(bearer.size()) : "";
}

std::string login_of(const HttpRequest& request) { return request.cookie(cookie_name(request)); }

HttpResponse refuse_browser(const std::string& whose, std::int64_t most) {
  HttpResponse refused = refuse_request(
      503, fmt::format("{} has {} connections of browsers, and the server allows no more; close "
                       "others, or ask for a larger --browser-limit.",
                       whose, most));
  refused.is_last = true;
  return refused;
}

HttpResponse refuse_method(std::string_view allowed) {
  HttpResponse refused = refuse_request(405, fmt::format("Use {} here.", allowed));
  refused.headers = {{"Allow", std::string(allowed)}};
  return refused;
}

/// A star at the end of a pattern stands for the last part of a path.
bool matches(std::string_view pattern, std::string_view path) {
  if (!pattern.ends_with('*')) return pattern == path;
  const std::string_view begin = pattern.substr(0, pattern.size() - 1);
  return path.size() > begin.size() && path.starts_with(begin) &&
         path.find('/', begin.size()) == std::string_view::npos;
}

/// Returns: what the star stands for; "" if there is none. Requires: the path matches.
std::string starred_part(std::string_view pattern, const std::string& path) {
  return pattern.ends_with('*') ? path_text(path.substr(pattern.size() - 1)) : "";
}

}  // namespace

/// Who has asked for what.
struct ServerPage::Question {
  const HttpRequest& request;
  const User& user;
  const Caller& caller;
  std::string name = {};  ///< What stands where the path of the route has a star.
};

struct ServerPage::Route {
  std::string_view method;
  std::string_view path;
  bool needs_token;
  HttpResponse (ServerPage::*answer)(const Question& question) const;
};

const ServerPage::Route* ServerPage::find_route(std::string_view method, std::string_view path) {
  static constexpr std::array<Route, 10> routes = {{
      {"POST", "/login", false, &ServerPage::log_in},
      {"POST", "/logout", false, &ServerPage::log_out},
      {"GET", "/api/status", true, &ServerPage::status},
      {"GET", "/api/routines", true, &ServerPage::routines},
      {"GET", "/api/calls", true, &ServerPage::calls},
      {"DELETE", "/api/calls/*", true, &ServerPage::cancel},
      {"GET", "/api/ranks", true, &ServerPage::ranks},
      {"GET", "/api/arrays", true, &ServerPage::arrays},
      {"DELETE", "/api/arrays/*", true, &ServerPage::free},
      {"GET", "/metrics", true, &ServerPage::metrics},
  }};
  const Route* found = nullptr;
  for (const Route& one : routes) {
    if (!matches(one.path, path)) continue;
    found = &one;
    if (one.method == method) break;
  }
  return found;
}

ServerPage::ServerPage(const std::string& folder, const ServerView& view, ServerControl& control,
                       AuditLog& audit, std::int64_t browsers_most)
    : view_(view),
      files_(folder),
      api_(view_),
      control_(control),
      audit_(audit),
      strangers_(strangers_most, stranger_time),
      browsers_most_(browsers_most) {}

void ServerPage::serve(const std::shared_ptr<Socket>& browser, bool must_encrypt) {
  std::optional<Strangers::Stay> stay(std::in_place, strangers_, browser);
  std::unique_ptr<Places::Place> place;
  const Caller caller{browser->peer_host(), {browser->own_host(), browser->is_encrypted()}};
  HttpConnection(*browser).serve([&](const HttpRequest& request) {
    if (must_encrypt) return refuse_plain(request, caller.own.host);
    const std::shared_ptr<const User> user = user_of(request);
    if (user) {
      stay.reset();
      const std::string& whose = user->name.empty() ? caller.host : user->name;
      if (!place || place->whose() != whose) place = places_.enter(whose, browsers_most_);
      if (!place) return refuse_browser(whose, browsers_most_);
    }
    return answer(request, user.get(), caller);
  });
}

std::shared_ptr<const User> ServerPage::user_of(const HttpRequest& request) const {
  const std::string token = token_of(request);
  if (!token.empty()) return view_.users.find(token);
  if (const auto user = logins_.find(login_of(request))) return view_.users.current(*user);
  return view_.users.find("");
}

HttpResponse ServerPage::answer(const HttpRequest& request, const User* user,
                                const Caller& caller) const {
  const std::optional<HttpResponse> refusal = guard_request(request, caller.own);
  HttpResponse response = refusal ? *refusal : answer_route(request, user, caller);
  response.headers.insert(response.headers.end(), safety_headers.begin(), safety_headers.end());
  return response;
}

HttpResponse ServerPage::answer_route(const HttpRequest& request, const User* user,
                                      const Caller& caller) const {
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  if (const HttpResponse* file = files_.find(request.path)) {
    return method == "GET" ? *file : refuse_method("GET");
  }
  const Route* const route = find_route(method, request.path);
  if (route == nullptr) {
    return refuse_request(404, "There is nothing here; docs/formats/server-api.md has what is.");
  }
  if (route->method != method) return refuse_method(route->method);
  static const User nobody;
  const std::string name = starred_part(route->path, request.path);
  if (!route->needs_token) return (this->*route->answer)({request, nobody, caller, name});
  return user != nullptr ? (this->*route->answer)({request, *user, caller, name})
                         : refuse_token(token_of(request), caller);
}

void ServerPage::note(const char* event, const Caller& caller, const User& user) const {
  audit_.write(event, {{"client", {{"host", caller.host}}}, {"user", user.name}});
}

HttpResponse ServerPage::refuse_token(const std::string& token, const Caller& caller) const {
  if (!token.empty()) {
    audit_.write("refusal", {{"client", {{"host", caller.host}}},
                             {"happened", "the server does not know the token"}});
    std::this_thread::sleep_for(wrong_token_delay);
  }
  HttpResponse refused = refuse_request(
      401, token.empty() ? "This server asks for a token." : "The server does not know the token.");
  refused.headers = {{"WWW-Authenticate", "Bearer realm=\"tasuki\""}};
  return refused;
}

HttpResponse ServerPage::log_in(const Question& question) const {
  const auto fields = form_fields(question.request.body);
  const auto found = fields.find("token");
  const std::string token = found == fields.end() ? "" : found->second;
  std::shared_ptr<const User> user = view_.users.find(token);
  if (!user) return refuse_token(token, question.caller);
  note("login", question.caller, *user);
  return set_cookie(question.request, question.caller.own.is_encrypted,
                    logins_.begin(std::move(user)), "");
}

HttpResponse ServerPage::log_out(const Question& question) const {
  const std::string login = login_of(question.request);
  if (const auto user = logins_.find(login)) note("logout", question.caller, *user);
  logins_.end(login);
  return set_cookie(question.request, question.caller.own.is_encrypted, "", "; Max-Age=0");
}

HttpResponse ServerPage::status(const Question& question) const {
  return answer_json(api_.status(question.user));
}

HttpResponse ServerPage::routines(const Question& question) const {
  // The guard has seen to it that the host is one.
  const char* const scheme = question.caller.own.is_encrypted ? "tasukis" : "tasuki";
  return answer_json(
      api_.routines(fmt::format("{}://{}", scheme, question.request.header("host"))));
}

HttpResponse ServerPage::calls(const Question& question) const {
  const auto& parameters = question.request.parameters;
  std::size_t most = ServerApi::past_most;
  if (const auto found = parameters.find("past"); found != parameters.end()) {
    const auto number = number_in<std::size_t>(found->second);
    if (!number) {
      return refuse_request(400, "past is how many past calls to tell of: a number.");
    }
    most = *number;
  }
  return answer_json(api_.calls(question.user, most));
}

HttpResponse ServerPage::ranks(const Question&) const { return answer_json(api_.ranks()); }

HttpResponse ServerPage::arrays(const Question& question) const {
  return answer_json(api_.arrays(question.user));
}

HttpResponse ServerPage::cancel(const Question& question) const {
  const auto call = number_in<std::int64_t>(question.name);
  const Person person{question.user, question.caller.host};
  const Outcome outcome = call ? control_.cancel(person, *call) : Outcome::not_there;
  if (outcome == Outcome::done) return answer_nothing(204);
  if (outcome == Outcome::not_allowed) return refuse_request(403, "The call is another user's.");
  return refuse_request(404, "No such call waits or is under way; it may have ended.");
}

HttpResponse ServerPage::free(const Question& question) const {
  const Person person{question.user, question.caller.host};
  // Done is what has been begun: it may have to wait for a call that uses it.
  if (control_.begin_to_free(person, question.name) == Outcome::done) return answer_nothing(202);
  return refuse_request(404, "You have no such array or object on the ranks.");
}

HttpResponse ServerPage::metrics(const Question&) const {
  HttpResponse response;
  response.content_type = metrics_type;
  response.body = server_metrics(view_);
  response.headers = {{"Cache-Control", "no-store"}};
  return response;
}

}  // namespace tasuki::rpc
