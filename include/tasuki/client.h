// Calling the routines of a Tasuki server from C, and from every language that can call C.
//
// Arrays stay in the caller's memory: their blocks go straight to the ranks that need them, and
// results come straight back. Scalars and descriptions travel as JSON text. Programs link
// tasuki_client, which needs neither MPI nor any part of the server.
//
// Thread-safety: one thread at a time for each client; errors are kept for each thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// NOLINTNEXTLINE(readability-identifier-naming): it is C.
typedef struct tasuki_client tasuki_client;

/// An array of a call. Element (i, j, ..) begins first_offset_bytes + i * stride_bytes[0] +
/// j * stride_bytes[1] + .. behind `memory`; strides may be negative.
typedef struct {
  void* memory;
  size_t memory_bytes;
  int64_t first_offset_bytes;
  const int64_t* stride_bytes;
  size_t dimensions;
} tasuki_array;

/// Returns: a client of the server, to be closed; NULL after an error.
/// Example: examples/linear_equations.c
tasuki_client* tasuki_client_connect(const char* host, uint16_t port);
/// Does nothing to NULL. Example: examples/linear_equations.c
void tasuki_client_close(tasuki_client* client);

/// Returns: a JSON array of the server's interfaces (docs/formats/interface.md), which lasts as
/// long as the client. Example: examples/linear_equations.c
const char* tasuki_client_interfaces(tasuki_client* client);

/// Calls a routine. `scalars` is a JSON object of all scalar arguments; `arrays` has one entry for
/// each array argument, in the order of the interface. Results are in the arrays when it returns.
/// Returns: the report as JSON, until the client's next call; NULL after an error.
/// Example: examples/linear_equations.c
const char* tasuki_client_call(tasuki_client* client, const char* module, const char* routine,
                               const char* scalars, const tasuki_array* arrays,
                               size_t arrays_count);

/// Returns: the last error of this thread, as JSON with the fields operation, happened, remedy.
/// Example: examples/linear_equations.c
const char* tasuki_client_error(void);

#ifdef __cplusplus
}
#endif
