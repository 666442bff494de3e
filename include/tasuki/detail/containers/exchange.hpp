// Values of any sendable type between the ranks of a team, and errors that all ranks throw
// together.
//
// Used by collective operations of containers. Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <tasuki/call.hpp>
#include <tasuki/collectives_of_values.hpp>
#include <tasuki/team.hpp>
#include <utility>
#include <vector>

namespace tasuki::containers {

using Bytes = std::vector<std::byte>;

/// A row of values as bytes, in the form in which arguments travel.
template <class T>
Bytes to_bytes(const std::vector<T>& values) {
  Bytes bytes;
  runtime::OutputArchive archive(bytes);
  archive(std::uint64_t{values.size()});
  for (const T& value : values) archive(value);
  return bytes;
}
/// Throws tasuki::error if the bytes are too few.
template <class T>
std::vector<T> from_bytes(std::span<const std::byte> bytes) {
  runtime::Reader reader(bytes.data(), bytes.data() + bytes.size());
  runtime::InputArchive archive(reader);
  std::uint64_t count = 0;
  archive(count);
  std::vector<T> values;
  for (std::uint64_t i = 0; i < count; ++i) archive(values.emplace_back());
  return values;
}
/// The values of all ranks, those of rank 0 first. Collective.
template <class T>
std::vector<T> allgather_values(const std::vector<T>& mine, const Team& team) {
  std::vector<T> all;
  for (std::vector<T>& values : allgather(mine, team)) {
    for (T& value : values) all.push_back(std::move(value));
  }
  return all;
}

/// Why an operation fails on this rank; nothing if it does not.
struct Failure {
  std::string happened = {};
  std::string remedy = {};
};
/// Throws the same tasuki::error on all ranks, with what the first rank that failed says, if any
/// failed. Collective.
void throw_together(const std::string& operation, const Failure& mine, const Team& team);
/// The same for an exception, if there is one, which a rank that has one throws as it is.
void throw_together(const std::string& operation, const std::exception_ptr& mine, const Team& team);

/// What each rank does by itself before all do something together: if it throws on one, no rank
/// goes on. Returns: what `body` returns. Throws as throw_together. Collective.
template <class Body>
auto do_on_all(const std::string& operation, const Team& team, Body body) {
  std::exception_ptr failure;
  const auto attempt = [&]() -> std::optional<decltype(body())> {
    try {
      return body();
    } catch (...) {
      failure = std::current_exception();
      return std::nullopt;
    }
  };
  auto result = attempt();
  throw_together(operation, failure, team);
  return std::move(*result);
}

}  // namespace tasuki::containers
