// Settings: every TASUKI_* variable, declared once with its type, default, unit and help.
//
// The environment, the command line, `tasuki info` and the documents all come from these
// declarations. `check_environment` refuses unknown TASUKI_* names and malformed values.
//
// Thread-safety: reading is safe from any thread as long as nobody calls setenv.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tasuki::base {

enum class SettingType { integer, seconds, text, flag };

/// What a number may be: both ends are among it.
struct Range {
  std::int64_t least = 0;
  std::int64_t most = INT64_MAX;

  bool contains(std::int64_t value) const noexcept { return value >= least && value <= most; }
};

inline constexpr std::int64_t kibi = 1024;
inline constexpr std::int64_t mebi = 1024 * kibi;
inline constexpr std::int64_t gibi = 1024 * mebi;
/// Times are counted in nanoseconds, of which 64 bits hold 292 years.
inline constexpr Range times_s = {0, 1'000'000'000};
inline constexpr Range times_us = {0, 3'600'000'000};

/// One setting. `audience` says who sets it: a user, or the launcher (`tasuki run`) for its ranks.
struct Setting {
  enum class Audience { user, launcher };

  const char* name;  ///< Environment variable, TASUKI_ first.
  SettingType type;
  const char* default_text;  ///< As one would write it in the environment; "" = unset.
  const char* unit;          ///< "bytes", "s", or "".
  const char* help;          ///< One sentence; thresholds say where their value was measured.
  Range range = {};          ///< Of an integer or a time: beyond it nothing could work.
  Audience audience = Audience::user;
  bool is_secret = false;  ///< Its value is not shown.

  /// `help`, and the range where it has one.
  std::string full_help() const;
  /// The range as one would write its ends in the environment; "" if any number will do.
  std::string range_text() const;

  /// The value in force: the environment's, else the default.
  /// Throws tasuki::error, which names the range, if it is malformed or outside.
  std::int64_t integer() const;  ///< Accepts the suffixes K, M, G (powers of 1024).
  double seconds() const;
  std::string text() const;
  bool flag() const;  ///< 0/1, no/yes, off/on, false/true.
  bool is_set() const;
};

/// All settings, in the order `tasuki info` shows them.
std::span<const Setting* const> all_settings() noexcept;

/// Throws tasuki::error naming the first unknown TASUKI_* variable and the nearest known name,
/// or the first malformed value.
void check_environment();

namespace setting {
using enum Setting::Audience;

inline constexpr Setting transport{
    "TASUKI_TRANSPORT", SettingType::text, "auto", "",
    "Transport that carries the messages: auto, shm, mpi or loopback."};
inline constexpr Setting mpi{
    "TASUKI_MPI", SettingType::text, "auto", "",
    "MPI plug-in to load: auto, ompi or mpich (auto: the one this process was started by)."};
inline constexpr Setting plugin_dir{
    "TASUKI_PLUGIN_DIR", SettingType::text, "", "",
    "Folder with the MPI plug-ins (default: lib/tasuki beside the program, or where Tasuki was "
    "when the program was linked)."};
inline constexpr Setting node_shm{
    "TASUKI_NODE_SHM", SettingType::flag, "1", "",
    "Let ranks of one node use shared memory when the transport is mpi."};
inline constexpr Setting mpi_threads{
    "TASUKI_MPI_THREADS", SettingType::flag, "1", "",
    "The program may have threads beside its ranks' own when Tasuki starts MPI (0: it never has "
    "any, which spares Open MPI its locks)."};
inline constexpr Setting node_name{
    "TASUKI_NODE_NAME", SettingType::text, "", "",
    "Pretend to be on the node of this name (default: the host's own boot id)."};
inline constexpr Setting node_groups{
    "TASUKI_NODE_GROUPS", SettingType::text, "", "",
    "Which hosts are near each other, as at one switch: a,b;c,d or patterns such as r1-*;r2-*. "
    "Collectives then send less between the groups (default: not known)."};
inline constexpr Setting shm_backing{
    "TASUKI_SHM_BACKING", SettingType::text, "auto", "",
    "Where shared segments live: auto, memfd, or devshm (an unnamed file in /dev/shm)."};
inline constexpr Setting ring_bytes{
    "TASUKI_RING_BYTES",
    SettingType::integer,
    "64K",
    "bytes",
    "Size of the message ring between two ranks of one node (power of two).",
    {16 * kibi, gibi}};
inline constexpr Setting heap_max_bytes{
    "TASUKI_HEAP_MAX_BYTES",
    SettingType::integer,
    "16G",
    "bytes",
    "Most that one rank's shared heap may grow to (address space; memory is taken as used).",
    {1, 64 * 1024 * gibi}};
inline constexpr Setting cma{
    "TASUKI_CMA", SettingType::flag, "1", "",
    "Use process_vm_readv/writev for private memory of ranks on this node where permitted."};
inline constexpr Setting spin_us{
    "TASUKI_SPIN_US",
    SettingType::integer,
    "50",
    "us",
    "How long an idle rank spins before it yields the core (0 when ranks outnumber cores).",
    times_us};
inline constexpr Setting sleep_after_us{
    "TASUKI_SLEEP_AFTER_US",
    SettingType::integer,
    "2000",
    "us",
    "How long an idle rank spins and yields before it sleeps in the kernel.",
    times_us};
inline constexpr Setting stack_bytes{
    "TASUKI_STACK_BYTES",
    SettingType::integer,
    "256K",
    "bytes",
    "Stack of a fiber, without its guard page (memory is taken as touched).",
    {16 * kibi, gibi}};
inline constexpr Setting fiber_cap{
    "TASUKI_FIBER_CAP",
    SettingType::integer,
    "1024",
    "",
    "Live fibers per rank above which further calls wait as messages while some fiber can run.",
    {1, mebi}};
inline constexpr Setting aggregate_bytes{
    "TASUKI_AGGREGATE_BYTES",
    SettingType::integer,
    "4K",
    "bytes",
    "Size at which a buffer of aggregated calls to one rank is sent, as far as the transport's "
    "messages go. Unset, over MPI: the largest message that the library sends eagerly.",
    // So that every header of the library fits in, with data behind it.
    {512, 64 * mebi}};
inline constexpr Setting policy{
    "TASUKI_POLICY", SettingType::text, "auto", "",
    "File made by tasuki tune that says which algorithm each collective uses; default: the "
    "built-in "
    "one; auto: policy-TRANSPORT in ~/.config/tasuki if it is there and for this machine."};
inline constexpr Setting reproducible{
    "TASUKI_REPRODUCIBLE", SettingType::flag, "0", "",
    "Combine in the order of the ranks in all reductions, so that their bits follow from the "
    "inputs, the count and the number of ranks alone."};
inline constexpr Setting start_timeout{"TASUKI_START_TIMEOUT",
                                       SettingType::seconds,
                                       "60",
                                       "s",
                                       "How long a rank waits for the others to start.",
                                       times_s};
inline constexpr Setting check_memory{
    "TASUKI_CHECK_MEMORY", SettingType::flag, "1", "",
    "Let tasuki run refuse more ranks than fit, at rest, into the memory that is available."};
inline constexpr Setting hang_after{
    "TASUKI_HANG_AFTER",
    SettingType::seconds,
    "0",
    "s",
    "Print the hang report after this long without progress (0: never).",
    times_s};
inline constexpr Setting loopback_ranks{"TASUKI_LOOPBACK_RANKS",
                                        SettingType::integer,
                                        "2",
                                        "",
                                        "Ranks that the loopback transport runs in one process.",
                                        {1, 4096}};
inline constexpr Setting loopback_seed{
    "TASUKI_LOOPBACK_SEED", SettingType::integer, "0", "",
    "Seed of the delays and reorderings of the loopback transport (0: none)."};
inline constexpr Setting rank{"TASUKI_RANK",
                              SettingType::integer,
                              "",
                              "",
                              "Rank of this process in its job.",
                              {0, INT32_MAX - 1},
                              launcher};
inline constexpr Setting size{"TASUKI_SIZE",       SettingType::integer, "",      "",
                              "Ranks in the job.", {1, INT32_MAX},       launcher};
inline constexpr Setting job_fd{"TASUKI_JOB_FD",
                                SettingType::integer,
                                "",
                                "",
                                "Inherited descriptor of the job's shared segment.",
                                {0, INT32_MAX},
                                launcher};
inline constexpr Setting job_file{"TASUKI_JOB_FILE",
                                  SettingType::text,
                                  "",
                                  "",
                                  "DEVICE:INODE of the job's shared segment: a descriptor of "
                                  "another file is refused.",
                                  {},
                                  launcher};
inline constexpr Setting launcher_pid{"TASUKI_LAUNCHER_PID",
                                      SettingType::integer,
                                      "",
                                      "",
                                      "Process that started the ranks; they end when it is gone.",
                                      {0, INT32_MAX},
                                      launcher};
inline constexpr Setting exit_record{
    "TASUKI_EXIT_RECORD",
    SettingType::text,
    "",
    "",
    "File in which ranks under mpiexec record their exit codes, a space, its DEVICE:INODE.",
    {},
    launcher};
inline constexpr Setting profile_folder{
    "TASUKI_PROFILE_FOLDER",
    SettingType::text,
    "",
    "",
    "Folder in which the ranks of a profiled program record their calls; unset, none does.",
    {},
    launcher};
inline constexpr Setting profile_events{
    "TASUKI_PROFILE_EVENTS",
    SettingType::integer,
    "4M",
    "events",
    "Events (MPI calls, or what Tasuki's runtime does) that a rank of a profiled program records "
    "one by one, 64 bytes each; those after them it only counts.",
    {1024, gibi}};
inline constexpr Setting tuned{
    "TASUKI_TUNED",
    SettingType::text,
    "",
    "",
    "Policy by which the preloaded library carries out a program's collectives: auto (the file "
    "measured here for this MPI library, else the built-in policy), default (the built-in policy), "
    "asked (what the program asks for by MPI_Pcontrol), or a file; unset, the MPI library does.",
    {},
    launcher};
inline constexpr Setting predict{
    "TASUKI_PREDICT", SettingType::text, "", "",
    "What ranks do ahead of messages: off, guarded (what has a measured gain), always (everything, "
    "in every idle time), or fixed (ranks of MPI programs wait by fixed times; nothing is done "
    "ahead). Unset: guarded in Tasuki's programs, off in MPI programs."};
inline constexpr Setting predict_bounce{
    "TASUKI_PREDICT_BOUNCE",
    SettingType::integer,
    "0",
    "bytes",
    "Size from which messages are received ahead of the MPI_Recv that should come next, while an "
    "MPI program waits in another one; 0: none is.",
    {0, gibi}};
inline constexpr Setting predict_report{
    "TASUKI_PREDICT_REPORT", SettingType::text, "", "",
    "File to which each rank appends what it predicted and what came; ranks of MPI programs also "
    "how long they waited."};
inline constexpr Setting predict_earlier{
    "TASUKI_PREDICT_EARLIER",
    SettingType::text,
    "",
    "",
    "Folder with the events of an earlier run, by which waits and messages are predicted.",
    {},
    launcher};
inline constexpr Setting tuned_report{
    "TASUKI_TUNED_REPORT",
    SettingType::text,
    "",
    "",
    "File to which each rank appends how its collectives were carried out.",
    {},
    launcher};
inline constexpr Setting server{
    "TASUKI_SERVER", SettingType::text, "", "",
    "Server whose routines programs call that name none, as tasuki://HOST:PORT, or several with "
    "commas in between; ranks of a routine have from it the server whose calls they serve."};
inline constexpr Setting token{"TASUKI_TOKEN",
                               SettingType::text,
                               "",
                               "",
                               "Token by which a server knows its user; a server that is started "
                               "with it serves only who has it.",
                               {},
                               user,
                               true};
inline constexpr Setting token_file{
    "TASUKI_TOKEN_FILE", SettingType::text, "", "",
    "File with the token, if TASUKI_TOKEN is not set; only its owner may read it."};
inline constexpr Setting ca_file{
    "TASUKI_CA_FILE", SettingType::text, "", "",
    "PEM file of the authorities whose certificates of servers are good (default: the system's)."};
inline constexpr Setting rpc_mode{
    "TASUKI_RPC_MODE", SettingType::text, "auto", "",
    "Way by which arrays reach the ranks of a server, for clients that choose none: auto, memory, "
    "hand-off, sequential, call-back, relay, buffering or original."};
inline constexpr Setting rpc_wire{
    "TASUKI_RPC_WIRE", SettingType::text, "native", "",
    "Form in which numbers travel to a server, for clients that choose none: native or xdr."};
inline constexpr Setting server_key{"TASUKI_SERVER_KEY",
                                    SettingType::text,
                                    "",
                                    "",
                                    "Lets the ranks of a routine join the server.",
                                    {},
                                    launcher,
                                    true};
}  // namespace setting
}  // namespace tasuki::base
