// Counts the connections of each user or address. A connection costs the front end a thread and a
// descriptor, and nobody may take those of others.
//
// Used for the clients of each user, and for browsers. Thread-safety: any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace tasuki::rpc {

class Places {
 public:
  Places() = default;
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  /// While it lives, who has it has one connection more.
  class Place {
   public:
    /// Requires: `all` has counted the connection, and outlives it.
    Place(Places& all, std::string whose) : all_(all), whose_(std::move(whose)) {}
    ~Place() { all_.leave(whose_); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    const std::string& whose() const noexcept { return whose_; }

   private:
    Places& all_;
    const std::string whose_;
  };

  /// Returns: nullptr if they have as many as `most`.
  std::unique_ptr<Place> enter(const std::string& whose, std::int64_t most);

 private:
  void leave(const std::string& whose);

  std::mutex mutex_;
  std::map<std::string, std::int64_t> counts_;  ///< Guarded by mutex_.
};

}  // namespace tasuki::rpc
