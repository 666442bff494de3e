#include "rpc/sessions/kept_entry.hpp"

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

KeptEntry entry_from(const json& row) {
  KeptEntry entry;
  entry.name = field_of<std::string>(row, "name");
  entry.module = field_of<std::string>(row, "module");
  entry.bytes = field_of<std::int64_t>(row, "bytes");
  entry.user = field_of<std::string>(row, "user");
  entry.client = field_of<std::string>(field_of<json>(row, "client"), "host");
  const json seconds = field_of<json>(row, "seconds");
  entry.age_s = field_of<double>(seconds, "age");
  entry.unused_s = field_of<double>(seconds, "unused");
  if (!field_of<json>(seconds, "left").is_null()) entry.left_s = field_of<double>(seconds, "left");
  entry.is_being_freed = field_of<bool>(row, "is_being_freed");
  if (field_of<std::string>(row, "kind") == "object") {
    entry.what = field_of<std::string>(row, "class");
    return entry;
  }
  entry.what = field_of<std::string>(row, "routine") + "." + field_of<std::string>(row, "argument");
  entry.type = field_of<std::string>(row, "type");
  entry.extents = field_of<std::vector<std::int64_t>>(row, "shape");
  return entry;
}

}  // namespace

std::vector<KeptEntry> kept_entries(const json& kept) {
  std::vector<KeptEntry> entries;
  for (const json& row : kept) entries.push_back(entry_from(row));
  return entries;
}

}  // namespace tasuki::rpc
