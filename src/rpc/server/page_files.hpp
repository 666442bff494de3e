// The files that make up the server's page: HTML, style and scripts, as they are in their folder.
//
// Owned by the server's page; read when the server starts. Thread-safety: values; any thread may
// ask.
#pragma once

#include <map>
#include <string>

#include "rpc/web/http_message.hpp"

namespace tasuki::rpc {

class PageFiles {
 public:
  /// Throws tasuki::error if the folder cannot be read.
  explicit PageFiles(const std::string& folder);

  /// Returns: the file "/NAME", index.html for "/", or nullptr if there is none.
  const HttpResponse* find(const std::string& path) const;

 private:
  std::map<std::string, HttpResponse> files_;
};

}  // namespace tasuki::rpc
