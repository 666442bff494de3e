// Files of containers: what each rank of a team has written, one part after the other.
//
// All ranks write and read at the same time, each its own parts. The file says of which kind of
// container and of which types it is. Used by the containers' save and load.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <span>
#include <string>
#include <tasuki/detail/containers/exchange.hpp>
#include <tasuki/error.hpp>
#include <tasuki/team.hpp>
#include <typeinfo>
#include <vector>

namespace tasuki::containers {

/// Replaces the file, in which `content` names what the parts are. Collective. Throws the same
/// tasuki::error on all ranks if the file cannot be written.
void write_parts(const std::string& path, const std::string& content,
                 std::span<const std::byte> mine, const Team& team);
/// Returns: the parts that this rank is to take, of as many ranks as have written the file.
/// Collective. Throws the same tasuki::error on all ranks if the file cannot be read or contains
/// something else.
std::vector<Bytes> read_parts(const std::string& path, const std::string& content,
                              const Team& team);

/// What people call a container of a type, "HashMap<int>" say.
std::string content_name(const char* kind, const std::type_info& element);

/// Replaces the file by the values of the std::vector that `values` returns on each rank.
/// Collective. Throws as write_parts, and on all ranks if `values`, or writing one of them, throws
/// on one.
template <class Values>
void write_values(const std::string& path, const char* kind, Values values, const Team& team) {
  using T = typename decltype(values())::value_type;
  const std::string content = content_name(kind, typeid(T));
  const Bytes mine = do_on_all("saving a " + content, team, [&] { return to_bytes<T>(values()); });
  write_parts(path, content, mine, team);
}
/// Returns: those that this rank is to take. Collective. Throws as read_parts.
template <class T>
std::vector<T> read_values(const std::string& path, const char* kind, const Team& team) {
  const std::string content = content_name(kind, typeid(T));
  std::vector<T> values;
  Failure failure;
  for (const Bytes& part : read_parts(path, content, team)) {
    try {
      for (T& value : from_bytes<T>(part)) values.push_back(std::move(value));
    } catch (const std::exception& e) {
      failure = {"the file " + path + " cannot be read: " + e.what(),
                 "write it again by the program that reads it"};
    }
  }
  throw_together("loading a " + content, failure, team);
  return values;
}

}  // namespace tasuki::containers
