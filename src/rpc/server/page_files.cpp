#include "rpc/server/page_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::rpc {
namespace {

const std::map<std::string, std::string> content_types = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".svg", "image/svg+xml"},
};

}  // namespace

PageFiles::PageFiles(const std::string& folder) {
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
    const auto type = content_types.find(entry.path().extension().string());
    if (type == content_types.end()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    HttpResponse response;
    response.content_type = type->second;
    response.body = std::string(std::istreambuf_iterator<char>(file), {});
    // Asked for again each time, as another version of the server may be at this address.
    response.headers = {{"Cache-Control", "no-cache"}};
    files_.emplace(fmt::format("/{}", entry.path().filename().string()), std::move(response));
  }
  if (files_.contains("/index.html")) return;
  throw error("serve", fmt::format("there is no page in {}", folder), "install Tasuki again");
}

const HttpResponse* PageFiles::find(const std::string& path) const {
  const auto found = files_.find(path == "/" ? "/index.html" : path);
  return found == files_.end() ? nullptr : &found->second;
}

}  // namespace tasuki::rpc
