// All of Tasuki's runtime for C++ programs: include this.
//
// Thread-safety: see each header; in short, one thread per rank calls Tasuki.
#pragma once

#include <tasuki/atomic_operations.hpp>
#include <tasuki/call.hpp>
#include <tasuki/collectives.hpp>
#include <tasuki/collectives_of_values.hpp>
#include <tasuki/collectives_on_ranges.hpp>
#include <tasuki/dist_object.hpp>
#include <tasuki/future.hpp>
#include <tasuki/global_ptr.hpp>
#include <tasuki/heap.hpp>
#include <tasuki/remote_error.hpp>
#include <tasuki/run.hpp>
#include <tasuki/spawn.hpp>
#include <tasuki/sync.hpp>
#include <tasuki/team.hpp>
#include <tasuki/team_array.hpp>
#include <tasuki/team_calls.hpp>
#include <tasuki/view.hpp>
#include <tasuki/when_all.hpp>
