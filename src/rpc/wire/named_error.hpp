// An error of a kind that callers can tell from others: the front end says the kind with a refusal,
// and clients throw it on.
//
// The C interface tells the kind, and Python has an exception for each. Thread-safety: a value.
#pragma once

#include <string>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::rpc {

/// The client may not do this: its token is wrong or missing.
inline constexpr const char* access_kind = "access";
/// Too many clients wait for the module.
inline constexpr const char* queue_full_kind = "queue-full";
/// The user has used up what the file of users allows, or the ranks can keep no more for clients.
inline constexpr const char* quota_kind = "quota";
/// The client, or somebody at the server, has ended the call.
inline constexpr const char* cancelled_kind = "cancelled";
/// The client has ended its connections during a call: it knows better why.
inline constexpr const char* given_up_kind = "given-up";
/// The server is about to end and takes no more calls.
inline constexpr const char* draining_kind = "draining";
/// Of an error that has no other.
inline constexpr const char* usual_kind = "call";
/// The client knows another interface of the module than the server has now.
inline constexpr const char* changed_kind = "interface-changed";

class NamedError : public error {
 public:
  NamedError(std::string kind, std::string operation, std::string happened, std::string remedy)
      : error(std::move(operation), std::move(happened), std::move(remedy)),
        kind_(std::move(kind)) {}

  const std::string& kind() const noexcept { return kind_; }

 private:
  std::string kind_;
};

inline std::string kind_of(const error& fault) {
  const auto* const named = dynamic_cast<const NamedError*>(&fault);
  return named == nullptr ? usual_kind : named->kind();
}

}  // namespace tasuki::rpc
