// How programs in C and Python name an object that a client has made: "module/Class/ID".
//
// Used by the C interface. Thread-safety: values.
#pragma once

#include <string>
#include <string_view>

namespace tasuki::rpc {

struct ObjectName {
  std::string module;
  std::string class_name;
  std::string id;  ///< By which the ranks know it.

  std::string text() const;
  /// What the ranks call a method of its class by.
  std::string method(std::string_view name) const;
};

/// The reverse of text(). Throws tasuki::error if it is no such name.
ObjectName object_name(std::string_view text);

}  // namespace tasuki::rpc
