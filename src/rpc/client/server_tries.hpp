// What has become of the servers that a client has turned to for one call, or to connect.
//
// Made by Client, which asks one server after the other, and all of them several times for a call.
// Thread-safety: one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <tasuki/error.hpp>
#include <vector>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class ServerTries {
 public:
  using Pause = std::chrono::milliseconds;
  using Clock = std::chrono::steady_clock;

  /// Between asking all servers and asking them again; as many times as there are pauses.
  /// Requires: `servers` and `pauses` outlive it.
  ServerTries(std::span<const Endpoint> servers, std::span<const Pause> pauses);

  /// Notes why the server at `index` does not serve the client. Throws tasuki::error that says so
  /// of every server if none shall be asked again: all have been asked often enough, or for long
  /// enough, or none of them lets the client in. Of a single server it is `fault`.
  void note(std::size_t index, const error& fault);
  /// How long to wait before the next server is asked.
  Pause pause() const noexcept;

 private:
  bool are_all_closed() const;
  [[noreturn]] void give_up(const error& last) const;

  std::span<const Endpoint> servers_;
  std::span<const Pause> pauses_;
  Clock::time_point begin_ = Clock::now();
  std::size_t tries_count_ = 0;
  std::vector<std::string> kinds_;     ///< Of the last error of each server.
  std::vector<std::string> happened_;  ///< The same; empty of a server that was not asked.
};

}  // namespace tasuki::rpc
