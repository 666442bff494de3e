#include "rpc/rank/call_files.hpp"

#include <cstdint>

#include "rpc/wire/file_transfer.hpp"
#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {

using nlohmann::json;

std::string CallFiles::add(const Parameter& parameter) {
  arguments_.push_back({parameter, PrivateFile()});
  return arguments_.back().file.path();
}

void CallFiles::receive(Socket& client, const json& sizes) const {
  for (const Argument& one : arguments_) {
    if (!one.parameter.is_sent()) continue;
    receive_file(client, one.file.descriptor(),
                 field_of<std::int64_t>(sizes, one.parameter.name.c_str()));
  }
}

json CallFiles::result_sizes() const {
  json sizes = json::object();
  for (const Argument& one : arguments_) {
    if (one.parameter.is_returned()) sizes[one.parameter.name] = one.file.bytes();
  }
  return sizes;
}

void CallFiles::send(Socket& client, const json& sizes) const {
  for (const Argument& one : arguments_) {
    if (!one.parameter.is_returned()) continue;
    send_file(client, one.file.descriptor(), sizes.at(one.parameter.name).get<std::int64_t>());
  }
}

}  // namespace tasuki::rpc
