// Ninf's calls for C: Ninf_call("dmmul", n, A, B, C) on servers of Tasuki.
//
// A routine is named "module/routine", or "routine" if one module alone has it, on the server of
// the setting TASUKI_SERVER; ninf://HOST:PORT/NAME, or tasuki:// in place of ninf://, names the
// server, too. The settings TASUKI_RPC_MODE and TASUKI_RPC_WIRE say by which way and in which form
// arrays travel. Arguments are those of the interface, in its order, but for work space. Arrays,
// and results of one number, are pointers; scalars are values of the interface's type. C converts
// no arguments of such functions: where the interface says int64_t, write (int64_t)5 and not 5.
// Texts and names of files are pointers to characters, and functions are pointers, too. They run on
// the thread of the call, which is a session's own.
//
// Thread-safety: any thread. Each call under way has a connection of its own.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// NOLINTBEGIN(readability-identifier-naming): these are Ninf's names.

enum { NINF_OK = 0, NINF_ERROR = -1 };

/// Takes `-server HOST` and `-port PORT` out of a program's arguments: the server of calls that
/// name none. Returns: how many arguments are left. Example: examples/ninf_product.c
int Ninf_parse_arg(int argc, char** argv);

/// Calls a routine, and returns when its results are in place.
/// Returns: NINF_OK or NINF_ERROR. Example: examples/ninf_product.c
int Ninf_call(const char* routine, ...);
/// Begins a call. The arrays must stay as they are until somebody has waited for it.
/// Returns: the number of its session, greater than 0; NINF_ERROR if it could not be begun.
/// Example: examples/ninf_sessions.c
int Ninf_call_async(const char* routine, ...);

/// Waits until a session has ended. Returns: NINF_OK; NINF_ERROR if it has failed, or there is no
/// such session. Example: examples/ninf_sessions.c
int Ninf_wait(int session);
/// Waits until all of them have ended. Returns: NINF_OK; NINF_ERROR if one has failed.
/// Example: examples/ninf_sessions.c
int Ninf_wait_and(const int* sessions, int length);
/// Waits until one of them has ended that nobody has waited for. Returns: its number, even if it
/// has failed; NINF_ERROR if there is none. Example: examples/ninf_sessions.c
int Ninf_wait_or(const int* sessions, int length);
/// Ninf_wait_and for all sessions that nobody has waited for. Example: examples/ninf_sessions.c
int Ninf_wait_all(void);
/// Ninf_wait_or for all sessions that nobody has waited for. Example: examples/ninf_sessions.c
int Ninf_wait_any(void);
/// Has a session ended? Does not wait. Returns: 1 or 0; NINF_ERROR if there is no such session.
/// Example: examples/ninf_sessions.c
int Ninf_probe(int session);
/// Lets a session fail, even while its ranks compute; does nothing if it has ended.
/// Returns: NINF_OK; NINF_ERROR if there is no such session. Example: examples/ninf_sessions.c
int Ninf_cancel(int session);
/// The same for all sessions. Example: examples/ninf_sessions.c
int Ninf_cancel_all(void);

/// Returns: NINF_ERROR if the thread's last call of another function here failed, or a session that
/// it waited for; else NINF_OK. Example: examples/ninf_sessions.c
int Ninf_error(void);
/// Prints what has happened to the thread's last call that failed, after a text and a colon.
/// Example: examples/ninf_product.c
void Ninf_perror(const char* text);

// NOLINTEND(readability-identifier-naming)

#ifdef __cplusplus
}
#endif
