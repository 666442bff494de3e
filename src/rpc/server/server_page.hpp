// The server's web page, the JSON behind it, and metrics, on the port of the front end.
//
// Owned by the front end, which hands it the connections of browsers. A table of routes says what
// answers which request. All but the page's own files needs a token where users have one. Peers
// that have shown none are few at once, and not for long. Thread-safety: any thread; each
// connection has one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "rpc/server/audit_log.hpp"
#include "rpc/server/logins.hpp"
#include "rpc/server/page_files.hpp"
#include "rpc/server/places.hpp"
#include "rpc/server/server_api.hpp"
#include "rpc/server/server_control.hpp"
#include "rpc/server/server_view.hpp"
#include "rpc/server/strangers.hpp"
#include "rpc/server/user.hpp"
#include "rpc/web/http_message.hpp"
#include "rpc/web/request_guard.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class ServerPage {
 public:
  /// Reads the page's files. Of each user at most `browsers_most` connections are served at once;
  /// where nobody needs a token, of each address. Throws tasuki::error if the files are not there.
  /// Requires: `control`, the log, and what the view refers to, outlive it.
  ServerPage(const std::string& folder, const ServerView& view, ServerControl& control,
             AuditLog& audit, std::int64_t browsers_most);

  /// Answers requests until the connection ends; with `must_encrypt`, says that it must do so.
  /// Throws tasuki::error if answers are not taken.
  void serve(const std::shared_ptr<Socket>& browser, bool must_encrypt);
  /// Ends connections that have shown no token for too long; to be called about each second.
  void end_late() { strangers_.end_late(); }

 private:
  /// Who asks from where.
  struct Caller {
    std::string host;
    OwnAddress own;
  };
  struct Question;
  struct Route;
  /// Returns: the route of the method, or any one of the path, or nullptr.
  static const Route* find_route(std::string_view method, std::string_view path);

  /// Returns: whose token or login the request shows; nullptr if it shows none that is known.
  std::shared_ptr<const User> user_of(const HttpRequest& request) const;
  /// `user` is who asks; nullptr: nobody knows.
  HttpResponse answer(const HttpRequest& request, const User* user, const Caller& caller) const;
  HttpResponse answer_route(const HttpRequest& request, const User* user,
                            const Caller& caller) const;
  /// Also writes down that there was a wrong one.
  HttpResponse refuse_token(const std::string& token, const Caller& caller) const;
  /// For the log file.
  void note(const char* event, const Caller& caller, const User& user) const;

  HttpResponse log_in(const Question& question) const;
  HttpResponse log_out(const Question& question) const;
  HttpResponse status(const Question& question) const;
  HttpResponse routines(const Question& question) const;
  HttpResponse calls(const Question& question) const;
  HttpResponse ranks(const Question& question) const;
  HttpResponse arrays(const Question& question) const;
  HttpResponse cancel(const Question& question) const;
  HttpResponse free(const Question& question) const;
  HttpResponse metrics(const Question& question) const;

  const ServerView view_;
  const PageFiles files_;
  const ServerApi api_;
  ServerControl& control_;
  AuditLog& audit_;
  mutable Logins logins_;
  Strangers strangers_;
  const std::int64_t browsers_most_;
  Places places_;  ///< Of those who are no strangers, by user or address.
};

}  // namespace tasuki::rpc
