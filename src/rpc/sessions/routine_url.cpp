#include "rpc/sessions/routine_url.hpp"

#include <string_view>

namespace tasuki::rpc {

RoutineUrl routine_url(const std::string& name) {
  for (const std::string_view scheme : {"ninf://", "tasuki://"}) {
    if (!name.starts_with(scheme)) continue;
    const std::string rest = name.substr(scheme.size());
    const std::size_t slash = rest.find('/');
    if (slash == std::string::npos) return {"tasuki://" + rest, ""};
    return {"tasuki://" + rest.substr(0, slash), rest.substr(slash + 1)};
  }
  return {"", name};
}

}  // namespace tasuki::rpc
