#include "rpc/plugin/last_error.hpp"

#include <exception>
#include <nlohmann/json.hpp>
#include <tasuki/error.hpp>

#include "rpc/client/call_fault.hpp"

namespace tasuki::rpc {
namespace {

LastError described(const error& fault) {
  const auto* const of_call = dynamic_cast<const CallFault*>(&fault);
  const bool may_have_run = of_call != nullptr && of_call->may_have_run();
  const std::string kind(kind_of(fault));
  const nlohmann::json fields = {{"kind", kind},
                                 {"operation", fault.operation()},
                                 {"happened", fault.happened()},
                                 {"remedy", fault.remedy()},
                                 {"may_have_run", may_have_run}};
  return {fields.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), kind, fault.what(),
          may_have_run};
}

}  // namespace

LastError& last_error() noexcept {
  thread_local LastError last;
  return last;
}

void keep_current_error() {
  try {
    throw;
  } catch (const error& fault) {
    last_error() = described(fault);
  } catch (const std::exception& fault) {
    last_error() =
        described(error("call the server", fault.what(), "give what tasuki/client.h asks for"));
  }
}

}  // namespace tasuki::rpc
