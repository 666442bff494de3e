// The error of a call that needs something which the ranks keep for clients: it is not there, not
// any more, or there is no room for it.
//
// Thrown on every rank alike, which then go on, and by clients when they are told. The C interface
// tells its kinds from other errors. Thread-safety: a value.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <tasuki/error.hpp>
#include <vector>

namespace tasuki::rpc {

class Lost : public error {
 public:
  /// `kind` is how messages and the C interface name it.
  Lost(std::string kind, const std::string& operation, const std::string& happened,
       const std::string& remedy);

  const std::string& kind() const noexcept { return kind_; }

 private:
  std::string kind_;
};

/// The message that tells a client.
nlohmann::json refusal_of(const Lost& fault);

/// Throws Lost if the ranks have refused the call: all of them, as they keep the same.
void check_not_refused(const std::vector<nlohmann::json>& answers);

}  // namespace tasuki::rpc
