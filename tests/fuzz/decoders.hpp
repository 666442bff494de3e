// What decodes bytes of a peer, each as a function for libFuzzer.
//
// Called by wire_fuzz.cpp. Each throws tasuki::error if it refuses the input. Thread-safety: one
// thread.
#pragma once

#include "fuzz/fuzzed_peer.hpp"

namespace tasuki::fuzz {

/// What strangers, clients and browsers send to a front end.
void serve_visitor(Bytes input);
/// What the ranks of a lease tell a front end.
void take_reports(Bytes input);
/// What clients send to a rank.
void serve_calls(Bytes input);
/// What a front end sends to a rank.
void obey_front_end(Bytes input);
/// What a rank sends to a client.
void receive_answer(Bytes input);

}  // namespace tasuki::fuzz
