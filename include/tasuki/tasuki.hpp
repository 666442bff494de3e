// All of Tasuki's runtime for C++ programs: include this.
//
// Thread-safety: see each header; in short, one thread per rank calls Tasuki.
#pragma once

#include <tasuki/runtime/call.hpp>
#include <tasuki/runtime/collectives.hpp>
#include <tasuki/runtime/dist_object.hpp>
#include <tasuki/runtime/future.hpp>
#include <tasuki/runtime/global_ptr.hpp>
#include <tasuki/runtime/heap.hpp>
#include <tasuki/runtime/remote_error.hpp>
#include <tasuki/runtime/run.hpp>
#include <tasuki/runtime/sync.hpp>
#include <tasuki/runtime/team.hpp>
