#include "rpc/plugin/last_error.hpp"

#include <exception>
#include <nlohmann/json.hpp>
#include <tasuki/error.hpp>

#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {
namespace {

LastError described(const std::string& kind, const error& fault) {
  const nlohmann::json fields = {{"kind", kind},
                                 {"operation", fault.operation()},
                                 {"happened", fault.happened()},
                                 {"remedy", fault.remedy()}};
  return {fields.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), fault.what()};
}

}  // namespace

LastError& last_error() noexcept {
  thread_local LastError last;
  return last;
}

void keep_current_error() {
  try {
    throw;
  } catch (const NamedError& fault) {
    last_error() = described(fault.kind(), fault);
  } catch (const error& fault) {
    last_error() = described("call", fault);
  } catch (const std::exception& fault) {
    last_error() = described(
        "call", error("call the server", fault.what(), "give what tasuki/client.h asks for"));
  }
}

}  // namespace tasuki::rpc
