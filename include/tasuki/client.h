// Calling the routines of a Tasuki server from C, and from every language that can call C.
//
// Arrays stay in the caller's memory: their blocks go straight to the ranks that need them, and
// results come straight back. Scalars and descriptions travel as JSON text. Programs link
// tasuki_client, which needs neither MPI nor any part of the server.
//
// Thread-safety: one thread at a time for each client, but for cancelling and progress; errors are
// kept for each thread.
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

/// Calls a routine. `scalars` is a JSON object of all scalar arguments, in which floating-point
/// numbers that JSON lacks are the texts "nan", "inf" and "-inf"; `arrays` has one entry for
/// each array argument, in the order of the interface. Results are in the arrays when it returns.
/// Returns: the report as JSON, until the client's next call; NULL after an error.
/// Example: examples/linear_equations.c
const char* tasuki_client_call(tasuki_client* client, const char* module, const char* routine,
                               const char* scalars, const tasuki_array* arrays,
                               size_t arrays_count);

/// Ends the connections of a client: its call under way fails, and so do later ones. Any thread.
/// Example: examples/progress.c
void tasuki_client_cancel(tasuki_client* client);
/// Writes how many bytes of arrays the call under way has sent and received, and how many there are
/// in all; zeros if there is no call. Any thread. Example: examples/progress.c
void tasuki_client_progress(tasuki_client* client, int64_t* moved_bytes, int64_t* total_bytes);
/// Lets calls end that a signal has interrupted, if `is_interrupted` then returns other than 0. It
/// is asked by the thread that calls. NULL: none does, as at first. Example: examples/progress.c
void tasuki_client_check_interrupts(int (*is_interrupted)(void));

/// Returns: the last error of this thread, as JSON with the fields operation, happened, remedy.
/// Example: examples/linear_equations.c
const char* tasuki_client_error(void);

#ifdef __cplusplus
}
#endif
