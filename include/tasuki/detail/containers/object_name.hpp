// Names of a container's objects on ranks: what travels in place of an address.
//
// A call names the object of its target. A name is never given twice, so a call that arrives when
// the object is gone is noticed. Used by Member.
//
// Thread-safety: names belong to the thread that runs the rank.
#pragma once

#include <cstdint>

namespace tasuki::containers {

/// Where in a table of the rank the object is, and how many were there before it.
struct ObjectName {
  std::uint32_t place = 0;
  std::uint32_t generation = 0;
};

ObjectName enter_object(void* object);
void remove_object(ObjectName name) noexcept;
/// Throws tasuki::error, which names the `kind` of container, if the object has been removed.
void* find_object(ObjectName name, const char* kind);

}  // namespace tasuki::containers
