#include "runtime/waiting/checked_object.hpp"

namespace tasuki::test {

CheckedObject* make_checked_object() { return new CheckedObject; }

}  // namespace tasuki::test
