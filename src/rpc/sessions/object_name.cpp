#include "rpc/sessions/object_name.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <tasuki/error.hpp>

namespace tasuki::rpc {

std::string ObjectName::text() const { return fmt::format("{}/{}/{}", module, class_name, id); }

std::string ObjectName::method(std::string_view name) const {
  return fmt::format("{}.{}", class_name, name);
}

ObjectName object_name(std::string_view text) {
  const std::size_t first = text.find('/');
  const std::size_t last = text.rfind('/');
  if (first == std::string_view::npos || first == last) {
    throw error("use an object", fmt::format("{} names no object", text),
                "give what making an object has returned");
  }
  return {std::string(text.substr(0, first)), std::string(text.substr(first + 1, last - first - 1)),
          std::string(text.substr(last + 1))};
}

}  // namespace tasuki::rpc
