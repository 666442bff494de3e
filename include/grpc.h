// The name by which GridRPC programs include tasuki/grpc.h.
//
// Thread-safety: as there.
#pragma once

#include <tasuki/grpc.h>
