// Calling the routines of a Tasuki server from C, and from every language that can call C.
//
// Arrays stay in the caller's memory: their blocks go straight to the ranks that need them, and
// results come straight back. Scalars and descriptions travel as JSON text. Programs link
// tasuki_client, which needs neither MPI nor any part of the server.
//
// A client may be given several servers: it uses the first that answers. If that serves no more, as
// it cannot be reached or is about to end, the client makes its calls on the next one, but only
// those that have surely not run. What it has left on the ranks of the server before is lost.
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
/// j * stride_bytes[1] + .. behind `memory`; strides may be negative. If `kept` is not NULL, it is
/// an array that tasuki_client_put has left on the ranks, and the other fields mean nothing. If
/// `is_byte_swapped` is not 0, its numbers are in the byte order that is not this machine's.
typedef struct {
  void* memory;
  size_t memory_bytes;
  int64_t first_offset_bytes;
  const int64_t* stride_bytes;
  size_t dimensions;
  const char* kept;
  int is_byte_swapped;
} tasuki_array;

/// An argument of tasuki_client_call_routine: a scalar, or an array. What is NULL is not checked.
/// If `kept` is not NULL, it is an array that tasuki_client_put has left on the ranks, and the
/// other fields mean nothing. `memory` of a text or of the name of a file is its characters, of an
/// array of texts an array of pointers, and of a callback the function, whose arguments are
/// pointers to its arrays. Texts that come back are allocated by malloc: free them.
typedef struct {
  void* memory;
  /// Of the elements, as NumPy calls it: "float64"; or "text", "characters" or "function".
  const char* type;
  const int64_t* extents;  ///< Of each dimension; or one, of all elements together.
  size_t dimensions;       ///< Entries of `extents`.
  int is_column_major;     ///< Else the last dimension changes fastest, as in C.
  int is_read_only;        ///< Results may not go there.
  /// From an index of each dimension to the next, when `memory` is the first element; strides may
  /// be negative. NULL: the elements lie without gaps.
  const int64_t* stride_bytes;
  const char* kept;
  /// Of each text, if the type is "characters": `memory` has the texts themselves then, of which
  /// blanks at the end do not count. Texts that come back are filled up with blanks, or cut off.
  size_t text_bytes;
} tasuki_argument;

/// A function for the argument `name` of a call. It gets its context and a pointer to each array of
/// the callback, and writes what comes back. Returns: NULL, or why it has failed, as a text that
/// lasts until the function is called again; the call then fails.
typedef struct {
  const char* name;
  const char* (*call)(void* context, void* const* arguments);
  void* context;
} tasuki_callback;

/// Returns: a client of the server, to be closed; NULL after an error.
/// Example: examples/linear_equations.c
tasuki_client* tasuki_client_connect(const char* host, uint16_t port);
/// The same for an address, tasuki://HOST:PORT, or for several with commas in between; if that is
/// NULL, for what the setting TASUKI_SERVER says. Example: examples/routine.c
tasuki_client* tasuki_client_open(const char* url);
/// What a client says of itself, and whom it trusts. What is NULL comes from the settings
/// TASUKI_TOKEN, TASUKI_TOKEN_FILE and TASUKI_CA_FILE.
typedef struct {
  const char* token;       ///< By which the server knows its user.
  const char* token_file;  ///< Where the token is, if `token` is NULL; only its owner may read it.
  const char* ca_file;     ///< Authorities for certificates of servers, in PEM.
} tasuki_client_options;
/// As tasuki_client_open, with options. NULL: those of the settings.
/// Example: examples/token.c
tasuki_client* tasuki_client_open_with(const char* url, const tasuki_client_options* options);
/// Does nothing to NULL. Example: examples/linear_equations.c
void tasuki_client_close(tasuki_client* client);

/// Returns: a JSON array of the server's interfaces (docs/formats/interface.md), which lasts as
/// long as the client. Example: examples/linear_equations.c
const char* tasuki_client_interfaces(tasuki_client* client);

/// Chooses by which way calls and arrays reach the ranks: "hand-off" by connections to them (one
/// rank after the other if "sequential", opened by the ranks if "call-back"), "memory" by reading
/// each other's memory on one machine, "relay" through the server's front end, "buffering" and
/// "original" by arrays that the front end divides among the ranks, "auto" by memory,
/// else hand-off, else relay. Else the setting TASUKI_RPC_MODE says it.
/// Returns: 0, or -1 if there is no such way. Example: examples/kept.c
int tasuki_client_set_mode(tasuki_client* client, const char* mode);
/// Chooses in which form numbers travel: "native", or "xdr" (RFC 4506). Else the setting
/// TASUKI_RPC_WIRE says it.
/// Returns: 0, or -1 if there is no such form. Example: examples/kept.c
int tasuki_client_set_wire_format(tasuki_client* client, const char* format);
/// Returns: 1, or 0 once the server has ended the connection: the next call connects anew, and what
/// the client has left on the ranks is lost. Example: examples/kept.c
int tasuki_client_is_connected(tasuki_client* client);
/// Returns: the address of the server that the client uses, or turns to next, until the function is
/// called again. Example: examples/servers.c
const char* tasuki_client_server(tasuki_client* client);

/// Gives the functions that the next tasuki_client_call, or call of a method, shall use. They run
/// on the thread that calls. Example: examples/search.c
void tasuki_client_set_callbacks(tasuki_client* client, const tasuki_callback* callbacks,
                                 size_t callbacks_count);

/// Calls a routine. `scalars` is a JSON object of all scalar arguments, texts (or arrays of them)
/// and names of files, in which floating-point numbers that JSON lacks are the texts "nan", "inf"
/// and "-inf"; `arrays` has one entry for each array argument, in the order of the interface.
/// Results are in the arrays when it returns. Returns: the report as JSON, until the client's next
/// call; NULL after an error. Example: examples/linear_equations.c
const char* tasuki_client_call(tasuki_client* client, const char* module, const char* routine,
                               const char* scalars, const tasuki_array* arrays,
                               size_t arrays_count);

/// The same for the routine "module/routine", or "routine" if one module alone has it. `arguments`
/// are all but work space, in the order of the interface; scalars are converted.
/// Example: examples/routine.c
const char* tasuki_client_call_routine(tasuki_client* client, const char* routine,
                                       const tasuki_argument* arguments, size_t arguments_count);

/// Where a rank's time went in a call, in seconds, and how many of its threads computed.
typedef struct {
  double receive_s;
  double compute_s;
  double send_s;
  double threads;
} tasuki_rank_report;
/// What docs/formats/call-report.md tells of most calls.
typedef struct {
  const char* server;  ///< The address of the one where the call ran.
  const char* mode;    ///< By which way arrays travelled, as for tasuki_client_set_mode.
  const char* wire;    ///< In which form numbers did.
  int64_t sent_bytes;
  int64_t received_bytes;
  double client_s;       ///< The whole call.
  double front_end_s;    ///< 0 where the call went past the front end.
  double computation_s;  ///< Of the slowest rank.
  const tasuki_rank_report* ranks;
  size_t ranks_count;
} tasuki_report;
/// Returns: the report of the client's last call that has ended well, which lasts until its next
/// call; NULL if there is none. Example: examples/report.c
const tasuki_report* tasuki_client_last_report(tasuki_client* client);

/// An array that a call gives back.
typedef struct {
  size_t position;         ///< Among all arguments of the call; the first is 0.
  const char* type;        ///< Of the elements, as NumPy calls it.
  const int64_t* extents;  ///< Of each dimension.
  size_t dimensions;
  size_t bytes;  ///< Of all elements.
} tasuki_result;

/// Describes the arrays that are missing if `arguments` are those of tasuki_client_call_routine but
/// for all arrays that are only written, so that the caller can make them. There are none if
/// `arguments` are complete. Returns: how many `*results` has, which last until the client's next
/// call of this function; -1 after an error. Example: examples/result_sizes.c
int tasuki_client_missing_results(tasuki_client* client, const char* routine,
                                  const tasuki_argument* arguments, size_t arguments_count,
                                  const tasuki_result** results);

/// Leaves an array on the ranks of a module, as it lies there for a parameter of a routine, until
/// it is freed or the ranks are started anew. `scalars` has the sizes that the parameter's shape
/// needs. Returns: what calls name it by, until the client's next put; NULL after an error.
/// Example: examples/kept.c
const char* tasuki_client_put(tasuki_client* client, const char* module, const char* routine,
                              const char* parameter, const char* scalars,
                              const tasuki_array* array);
/// The same for an array that is described as an argument of a call, and checked like one. Sizes
/// that the parameter's shape does not need may be left out of `scalars`.
/// Example: examples/put.c
const char* tasuki_client_put_argument(tasuki_client* client, const char* module,
                                       const char* routine, const char* parameter,
                                       const char* scalars, const tasuki_argument* array);
/// Frees an array on the ranks; does nothing if it is not there. Returns: 0, or -1 after an error.
/// Example: examples/kept.c
int tasuki_client_free(tasuki_client* client, const char* module, const char* kept);

/// Tells what all clients of the user have left on the ranks of the server: a JSON array like that
/// of docs/formats/server-api.md. Returns: it, until the client's next call of this function; NULL
/// after an error. Example: examples/kept.c
const char* tasuki_client_kept(tasuki_client* client);
/// An array or an object that a client has left on the ranks.
typedef struct {
  const char* name;  ///< By which calls name it.
  const char* module;
  const char* what;        ///< For which argument it lies there, as in "solve.A"; or its class.
  const char* type;        ///< Of the elements, as NumPy calls it; NULL: it is an object.
  const int64_t* extents;  ///< Of each dimension.
  size_t dimensions;
  int64_t bytes;       ///< On all ranks together.
  const char* user;    ///< Whose it is; "" where nobody has to say who it is.
  const char* client;  ///< The address of its client's host.
  double age_s;
  double unused_s;     ///< Since the last call that has used it.
  double left_s;       ///< After which it is freed if no call uses it; infinite without a limit.
  int is_being_freed;  ///< When the call under way has ended.
} tasuki_kept;

/// The same as tasuki_client_kept, the oldest first, in structures. Returns: how many `*kept` has,
/// which last until the client's next call of this function; -1 after an error.
/// Example: examples/put.c
int tasuki_client_list_kept(tasuki_client* client, const tasuki_kept** kept);
/// Frees an array or an object that any client of the user has left, by the name that
/// tasuki_client_kept tells, after the call under way. Returns: 1; 0 if it is not there; -1 after
/// an error. Example: examples/kept.c
int tasuki_client_discard(tasuki_client* client, const char* name);

/// Makes an object of the class "module/Class", or "Class" if one module alone has it, on the ranks
/// of the module. It has a state of its own there, until it is freed, the client is closed or the
/// ranks are started anew. Returns: what calls name it by, until the client makes another object;
/// NULL after an error. Example: examples/object.c
const char* tasuki_client_make(tasuki_client* client, const char* class_name);
/// Calls a method of an object, with arguments like those of tasuki_client_call_routine.
/// Example: examples/object.c
const char* tasuki_client_call_method(tasuki_client* client, const char* object, const char* method,
                                      const tasuki_argument* arguments, size_t arguments_count);
/// The same with arguments like those of tasuki_client_call. Example: examples/object.c
const char* tasuki_client_call_object(tasuki_client* client, const char* object, const char* method,
                                      const char* scalars, const tasuki_array* arrays,
                                      size_t arrays_count);
/// Frees an object on the ranks; does nothing if it is not there. Returns: 0, or -1 after an error.
/// Example: examples/object.c
int tasuki_client_free_object(tasuki_client* client, const char* object);

/// Lets the client's call under way fail; does nothing if there is none. Later calls connect anew,
/// so that what the client has left on the ranks is lost. Any thread. Example: examples/progress.c
void tasuki_client_cancel(tasuki_client* client);
/// Ends the connections of a client for good: its call under way fails, and so do later ones, such
/// as one that another thread is about to make. Any thread. Example: examples/progress.c
void tasuki_client_end(tasuki_client* client);
/// Writes how many bytes of arrays the call under way has sent and received, and how many there are
/// in all; zeros if there is no call. Any thread. Example: examples/progress.c
void tasuki_client_progress(tasuki_client* client, int64_t* moved_bytes, int64_t* total_bytes);
/// Lets calls end that a signal has interrupted, if `is_interrupted` then returns other than 0. It
/// is asked by the thread that calls. NULL: none does, as at first. Example: examples/progress.c
void tasuki_client_check_interrupts(int (*is_interrupted)(void));

/// Returns: the last error of this thread, as JSON with the fields kind ("lost-array" or
/// "lost-object" if an array or object is not on the ranks, "access" if the server does not let the
/// client in, "interface-changed" if the routine takes other arguments since the client connected,
/// "cancelled" if the client, or somebody at the server, has ended the call, "draining" if the
/// server takes no more calls, "silent" if it has given no sign of life for too long, "queue-full"
/// or "quota" if calls are too many, or if there is no room for what is to be left on the ranks,
/// else "call"),
/// operation, happened, remedy, and may_have_run, as tasuki_client_may_have_run tells it.
/// Example: examples/kept.c
const char* tasuki_client_error(void);
/// Returns: the same as a text for people. Example: examples/routine.c
const char* tasuki_client_error_text(void);
/// Returns: its field kind alone, for programs that go on after some errors; empty if there was no
/// error. Example: examples/servers.c
const char* tasuki_client_error_kind(void);
/// Whether the call of this thread's last error may have run, on the ranks or a part of them.
/// Returns: 0 if it has surely not, as no rank has begun it; else 1. Example: examples/servers.c
int tasuki_client_may_have_run(void);

#ifdef __cplusplus
}
#endif
