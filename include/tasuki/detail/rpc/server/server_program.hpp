// The main function of a server's front end.
//
// Called by the program that `tasuki serve` starts. Thread-safety: one thread, once.
#pragma once

namespace tasuki::rpc {

/// Reads a line of JSON from standard input, {"host": .., "port": .., "modules": [{"interface": ..,
/// "command": [..], "ranks": ..}]}, serves these modules, and writes a line {"port": ..} when
/// clients may connect. Returns: the exit code, after SIGINT or SIGTERM, when standard input ends
/// as whoever started it has ended, or after an error, which is printed.
int run_server();

}  // namespace tasuki::rpc
