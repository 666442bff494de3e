// GridRPC for C: the calls of the Open Grid Forum's recommendation GFD-R.052, on servers of Tasuki.
//
// Programs that were written for Ninf-G or another GridRPC are compiled with it as they are. What
// Ninf-G adds to the recommendation has its names, which end in _np there, or are about stacks of
// arguments. A function is named "module/routine", or "routine" if one module alone has it.
//
// Arguments of calls are those of the interface, in its order, but for work space. Arrays, and
// results of one number, are pointers; scalars are values of the interface's type. C converts no
// arguments of such functions: where the interface says int64_t, write (int64_t)5 and not 5. Texts
// and names of files are pointers to characters, and functions are pointers, too. They run on the
// thread of the call, which is a session's own.
//
// All functions return GRPC_NOT_INITIALIZED before grpc_initialize. tasuki_client_error_text() of
// tasuki/client.h says what has happened to the thread's last call that failed.
//
// Thread-safety: any thread, but grpc_initialize and grpc_finalize while no other function runs.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <tasuki/client.h>

#ifdef __cplusplus
extern "C" {
#endif

// NOLINTBEGIN(readability-identifier-naming): these are the recommendation's names.

/// Programs compare errors by these names.
enum {
  GRPC_NO_ERROR,
  GRPC_NOT_INITIALIZED,          ///< grpc_initialize has not been called.
  GRPC_CONFIGFILE_NOT_FOUND,     ///< The configuration file cannot be read.
  GRPC_CONFIGFILE_ERROR,         ///< A line of it says nothing known.
  GRPC_SERVER_NOT_FOUND,         ///< No server is named, or none answers.
  GRPC_FUNCTION_NOT_FOUND,       ///< The server has no such routine, or several.
  GRPC_INVALID_FUNCTION_HANDLE,  ///< The handle was not made, or has been destructed.
  GRPC_INVALID_SESSION_ID,       ///< There has been no such session.
  GRPC_RPC_REFUSED,              ///< The server does not let this client call.
  GRPC_COMMUNICATION_FAILED,     ///< The connection to the server has ended.
  GRPC_SESSION_FAILED,           ///< A call has failed on the server, or was cancelled.
  GRPC_NOT_COMPLETED,            ///< The session has not ended.
  GRPC_NONE_COMPLETED,           ///< None of the sessions has ended.
  GRPC_OTHER_ERROR_CODE,         ///< Arguments are not what the interface or a function asks for.
  GRPC_UNKNOWN_ERROR_CODE,       ///< No error has this number.
  GRPC_ALREADY_INITIALIZED,      ///< grpc_initialize has been called before.
  GRPC_LAST_ERROR_CODE           ///< Greater than all errors.
};

/// The number of no session.
#define GRPC_SESSIONID_VOID (-1)

typedef int grpc_error_t;
/// A call that goes on meanwhile.
typedef int grpc_sessionid_t;

/// A routine of a server. The field is for the library.
typedef struct grpc_function_handle_s {
  int64_t number;
} grpc_function_handle_t;

/// An object of a class, on the ranks of a server. The field is for the library.
typedef struct grpc_object_handle_s_np {
  int64_t number;
} grpc_object_handle_t_np;

/// How far a session is.
enum {
  GRPC_SESSION_ARG_IS_NOT_TRANSMITTED,  ///< Never written here.
  GRPC_SESSION_EXECUTING,
  GRPC_SESSION_DOWN,  ///< It has failed.
  GRPC_SESSION_DONE,
  GRPC_SESSION_UNKNOWN_STATUS
};

/// Where the time of a call went on its ranks; each is that of the slowest one.
typedef struct grpc_exec_info_executable_s_np {
  struct timeval transferArgumentToRemoteRealTime;
  struct timeval calculationRealTime;
  struct timeval transferResultToClientRealTime;
} grpc_exec_info_executable_t_np;

/// The whole call, as its client has seen it.
typedef struct grpc_exec_info_client_s_np {
  struct timeval calculationRealTime;
} grpc_exec_info_client_t_np;

/// Where the time of a call went that has ended well: by Ninf-G's fields, and more in `report`.
typedef struct grpc_session_info_s_np {
  grpc_exec_info_executable_t_np gei_measureExecutable;
  grpc_exec_info_client_t_np gei_measureClient;
  tasuki_report report;
} grpc_session_info_t_np;

/// Arguments of a call: pointers, also to scalars. The fields are for the library.
typedef struct grpc_arg_stack_s {
  void** arguments;
  size_t arguments_count;
  size_t room;
  int is_on_heap;
} grpc_arg_stack_t;

/// Begins. The file has one of these on each line, and comments behind #:
/// `server tasuki://HOST:PORT` is a server of default handles, of which the first is taken that
/// answers; `mode MODE` and `wire FORMAT` are as for tasuki_client_set_mode and _wire_format;
/// without them, the settings TASUKI_RPC_MODE and TASUKI_RPC_WIRE say it.
/// Without a server there, and with NULL in place of a file, it is that of the setting
/// TASUKI_SERVER.
/// Returns: GRPC_NO_ERROR, or one of GRPC_CONFIGFILE_NOT_FOUND, GRPC_CONFIGFILE_ERROR,
/// GRPC_ALREADY_INITIALIZED. Example: examples/grid_product.c
grpc_error_t grpc_initialize(const char* config_file);
/// Ends: cancels the sessions that go on, and frees handles.
/// Returns: GRPC_NO_ERROR. Example: examples/grid_product.c
grpc_error_t grpc_finalize(void);

/// Makes a handle of a routine on the first default server that answers.
/// Returns: GRPC_NO_ERROR, GRPC_SERVER_NOT_FOUND, GRPC_RPC_REFUSED or GRPC_FUNCTION_NOT_FOUND.
/// Example: examples/grid_product.c
grpc_error_t grpc_function_handle_default(grpc_function_handle_t* handle, const char* function);
/// The same on a server, tasuki://HOST:PORT or HOST:PORT. Example: examples/grid_sessions.c
grpc_error_t grpc_function_handle_init(grpc_function_handle_t* handle, const char* server,
                                       const char* function);
/// Frees what the handle holds. Sessions that it has begun go on.
/// Returns: GRPC_NO_ERROR or GRPC_INVALID_FUNCTION_HANDLE. Example: examples/grid_product.c
grpc_error_t grpc_function_handle_destruct(grpc_function_handle_t* handle);
/// Writes the handle that has begun a session.
/// Returns: GRPC_NO_ERROR; GRPC_INVALID_SESSION_ID, also for a session that has ended well and has
/// been waited for, or that an object has begun. Example: examples/grid_sessions.c
grpc_error_t grpc_get_handle(grpc_function_handle_t** handle, grpc_sessionid_t session);

/// Calls with the arguments that follow, and returns when their results are in place.
/// Returns: GRPC_NO_ERROR, GRPC_INVALID_FUNCTION_HANDLE, GRPC_OTHER_ERROR_CODE if an argument is
/// not what the interface says, GRPC_SESSION_FAILED or GRPC_COMMUNICATION_FAILED.
/// Example: examples/grid_product.c
grpc_error_t grpc_call(grpc_function_handle_t* handle, ...);
/// Begins the same, and writes the number of its session. The arrays must stay as they are until
/// the session has ended. Errors of arguments are returned at once. Sessions that run at the same
/// time have connections and threads of their own. Example: examples/grid_sessions.c
grpc_error_t grpc_call_async(grpc_function_handle_t* handle, grpc_sessionid_t* session, ...);

/// Makes an empty stack for at most so many arguments, to be destructed.
/// Returns: GRPC_NO_ERROR or GRPC_OTHER_ERROR_CODE. Example: examples/grid_stack.c
grpc_error_t grpc_arg_stack_init(grpc_arg_stack_t* stack, size_t most_arguments);
/// Ninf-G's name for a stack on the heap. Returns: NULL if there is no memory.
/// Example: examples/grid_stack.c
grpc_arg_stack_t* grpc_arg_stack_new(int most_arguments);
/// Adds a pointer, in the order of the interface: scalars are pointed at, too, and are read when
/// the call begins. Returns: 0, or -1 if the stack is full. Example: examples/grid_stack.c
int grpc_arg_stack_push_arg(grpc_arg_stack_t* stack, void* argument);
/// Takes away the pointer that was added last. Returns: it, or NULL if the stack is empty.
/// Example: examples/grid_stack.c
void* grpc_arg_stack_pop_arg(grpc_arg_stack_t* stack);
/// Frees a stack, however it was made. Returns: 0. Example: examples/grid_stack.c
int grpc_arg_stack_destruct(grpc_arg_stack_t* stack);
/// As grpc_call, with the arguments of a stack, which stays as it is.
/// Example: examples/grid_stack.c
grpc_error_t grpc_call_argstack(grpc_function_handle_t* handle, grpc_arg_stack_t* stack);
/// As grpc_call_async, with the arguments of a stack, which may be destructed at once.
/// Example: examples/grid_stack.c
grpc_error_t grpc_call_argstack_async(grpc_function_handle_t* handle, grpc_sessionid_t* session,
                                      grpc_arg_stack_t* stack);
/// Ninf-G's name for it. Returns: 0, or -1 after an error. Example: examples/grid_stack.c
int grpc_call_arg_stack(grpc_function_handle_t* handle, grpc_arg_stack_t* stack);
/// Ninf-G's name for it. Returns: the number of the session, or -1 after an error.
/// Example: examples/grid_stack.c
int grpc_call_arg_stack_async(grpc_function_handle_t* handle, grpc_arg_stack_t* stack);

/// Makes an object of the class "module/Class", or "Class" if one module alone has it, on the first
/// default server that answers. It has a state of its own there, until it is destructed or the
/// server's ranks are started anew: then calls return GRPC_SESSION_FAILED.
/// Returns: GRPC_NO_ERROR, GRPC_SERVER_NOT_FOUND, GRPC_RPC_REFUSED; GRPC_FUNCTION_NOT_FOUND if
/// there is no such class; GRPC_SESSION_FAILED if the ranks have no room.
/// Example: examples/grid_object.c
grpc_error_t grpc_object_handle_default_np(grpc_object_handle_t_np* handle, const char* class_name);
/// The same on a server, tasuki://HOST:PORT or HOST:PORT. Example: examples/grid_object.c
grpc_error_t grpc_object_handle_init_np(grpc_object_handle_t_np* handle, const char* server,
                                        const char* class_name);
/// Frees the object on the ranks.
/// Returns: GRPC_NO_ERROR, GRPC_INVALID_FUNCTION_HANDLE, or GRPC_SESSION_FAILED if the server does
/// not answer: it then frees the object by itself. Example: examples/grid_object.c
grpc_error_t grpc_object_handle_destruct_np(grpc_object_handle_t_np* handle);
/// Writes the handle of the object that has begun a session. Returns: as grpc_get_handle.
/// Example: examples/grid_object.c
grpc_error_t grpc_object_handle_get_from_session_np(grpc_object_handle_t_np** handle,
                                                    grpc_sessionid_t session);
/// Calls a method of an object as grpc_call does. Returns: as grpc_call; GRPC_FUNCTION_NOT_FOUND if
/// its class has no such method. Example: examples/grid_object.c
grpc_error_t grpc_invoke_np(grpc_object_handle_t_np* handle, const char* method, ...);
/// Begins a session that calls a method, as grpc_call_async does. Example: examples/grid_object.c
grpc_error_t grpc_invoke_async_np(grpc_object_handle_t_np* handle, const char* method,
                                  grpc_sessionid_t* session, ...);
/// The same with the arguments of a stack. Returns: 0, or -1 after an error.
/// Example: examples/grid_object.c
int grpc_invoke_arg_stack_np(grpc_object_handle_t_np* handle, const char* method,
                             grpc_arg_stack_t* stack);
/// Returns: the number of the session, or -1 after an error. Example: examples/grid_object.c
int grpc_invoke_arg_stack_async_np(grpc_object_handle_t_np* handle, const char* method,
                                   grpc_arg_stack_t* stack);

/// Waits until a session has ended, and may be called again afterwards.
/// Returns: GRPC_NO_ERROR, GRPC_SESSION_FAILED or GRPC_INVALID_SESSION_ID.
/// Example: examples/grid_sessions.c
grpc_error_t grpc_wait(grpc_sessionid_t session);
/// Waits until all of them have ended. Returns: as grpc_wait; GRPC_SESSION_FAILED if one has
/// failed. Example: examples/grid_sessions.c
grpc_error_t grpc_wait_and(const grpc_sessionid_t* sessions, size_t length);
/// Waits until one of them has ended that nobody has waited for, and writes its number, or
/// GRPC_SESSIONID_VOID if there is none. Returns: as grpc_wait for that one.
/// Example: examples/grid_sessions.c
grpc_error_t grpc_wait_or(const grpc_sessionid_t* sessions, size_t length,
                          grpc_sessionid_t* session);
/// grpc_wait_and for all sessions that nobody has waited for. Example: examples/grid_sessions.c
grpc_error_t grpc_wait_all(void);
/// grpc_wait_or for all sessions that nobody has waited for. Example: examples/grid_sessions.c
grpc_error_t grpc_wait_any(grpc_sessionid_t* session);
/// Has a session ended, well or not? Does not wait.
/// Returns: GRPC_NO_ERROR, GRPC_NOT_COMPLETED or GRPC_INVALID_SESSION_ID.
/// Example: examples/grid_sessions.c
grpc_error_t grpc_probe(grpc_sessionid_t session);
/// Writes the number of one that has ended and that nobody has waited for. Does not wait.
/// Returns: GRPC_NO_ERROR, GRPC_NONE_COMPLETED or GRPC_INVALID_SESSION_ID.
/// Example: examples/grid_sessions.c
grpc_error_t grpc_probe_or(const grpc_sessionid_t* sessions, size_t length,
                           grpc_sessionid_t* session);
/// Lets a session fail, even while its ranks compute; does nothing if it has ended.
/// Returns: GRPC_NO_ERROR or GRPC_INVALID_SESSION_ID. Example: examples/grid_sessions.c
grpc_error_t grpc_cancel(grpc_sessionid_t session);
/// The same for all sessions. Example: examples/grid_sessions.c
grpc_error_t grpc_cancel_all(void);

/// Writes how far a session is and, if it has ended well, its information, which is to be released.
/// Either place may be NULL. The information of the 256 newest sessions is kept.
/// Returns: GRPC_NO_ERROR, or GRPC_INVALID_SESSION_ID, also if there is no information.
/// Example: examples/grid_report.c
grpc_error_t grpc_session_info_get_np(grpc_sessionid_t session, grpc_session_info_t_np** info,
                                      int* status);
/// Frees what grpc_session_info_get_np has written. Returns: GRPC_NO_ERROR.
/// Example: examples/grid_report.c
grpc_error_t grpc_session_info_release_np(grpc_session_info_t_np* info);
/// Writes the information of the thread's last call without a session that has ended well; what it
/// points at lasts until the thread's next call. Returns: as grpc_session_info_get_np.
/// Example: examples/grid_report.c
grpc_error_t grpc_get_last_info_np(grpc_session_info_t_np* info, int* status);

/// Returns: the error of a session that has ended, as grpc_call would have returned it;
/// GRPC_NO_ERROR if it goes on; GRPC_INVALID_SESSION_ID. Example: examples/grid_sessions.c
grpc_error_t grpc_get_error(grpc_sessionid_t session);
/// Returns: the name of an error, "GRPC_NO_ERROR" of 0; "GRPC_UNKNOWN_ERROR_CODE" if there is no
/// such error. It is not to be written to. Example: examples/grid_product.c
char* grpc_error_string(grpc_error_t error);
/// Writes the number of a session that failed under the thread's last wait for several, another
/// one each time, then GRPC_SESSIONID_VOID. Returns: GRPC_NO_ERROR.
/// Example: examples/grid_sessions.c
grpc_error_t grpc_get_failed_sessionid(grpc_sessionid_t* session);
/// Prints what has happened to the thread's last call that failed, after a text and a colon.
/// Returns: GRPC_NO_ERROR. Example: examples/grid_product.c
grpc_error_t grpc_perror_np(const char* text);
/// Returns: what the thread's last call of a function with sessions or handles returned.
/// Example: examples/grid_sessions.c
grpc_error_t grpc_last_error_get_np(void);

// NOLINTEND(readability-identifier-naming)

#ifdef __cplusplus
}
#endif
