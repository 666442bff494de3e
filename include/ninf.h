// The name by which programs of Ninf include tasuki/ninf.h.
//
// Thread-safety: as there.
#pragma once

#include <tasuki/ninf.h>
