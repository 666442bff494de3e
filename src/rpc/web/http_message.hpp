// Requests of browsers, scripts and monitoring systems, and the answers to them.
//
// Made and sent by HttpConnection; what the server answers is in room `server`. Plain values.
// Thread-safety: as any value.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::rpc {

struct HttpRequest {
  std::string method = "GET";
  std::string path = "/";                              ///< Without what follows a `?`.
  std::map<std::string, std::string> parameters = {};  ///< Of the query, decoded.
  std::map<std::string, std::string> headers = {};     ///< Names in lower case.
  std::string body = {};

  /// Returns: the header's value, or "" if there is none. `name` is in lower case.
  std::string header(const std::string& name) const;
  /// Returns: the value of the cookie, or "".
  std::string cookie(const std::string& name) const;
};

struct HttpResponse {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  bool is_last = false;  ///< The connection ends after it.
};

/// Returns: names and values of `a=1&b=2`, with %41 and + decoded.
std::map<std::string, std::string> form_fields(const std::string& text);
/// Returns: a part of a path, with %41 decoded.
std::string path_text(const std::string& part);
/// Returns: an answer that is an error, for the person who reads it.
HttpResponse refuse_request(unsigned status, const std::string& text);

}  // namespace tasuki::rpc
