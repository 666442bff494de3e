#include "rpc/server/lease_request.hpp"

#include "rpc/server/program_kept.hpp"

namespace tasuki::rpc {

nlohmann::json lease_order(const LeaseRequest& request, const LeaseTerms& terms) {
  nlohmann::json order = {{"message", "lease"},
                          {"lease", terms.number},
                          {"client", request.origin.client},
                          {"user", request.origin.user},
                          {"call_most_bytes", terms.call_most_bytes},
                          {"client_most_s", terms.client_most_s},
                          {"gone_clients", terms.gone_clients}};
  if (const auto quota = ProgramKept::quota_of(*request.user))
    order["kept_quota"] = to_json(*quota);
  if (request.call_back) order["call_back"] = text_of(*request.call_back);
  return order;
}

}  // namespace tasuki::rpc
