// The wire-up by `tasuki run`: each rank is connected with the launcher, which passes on to all
// what each has said (docs/design/launch.md).
//
// Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "transport/ucx/wireup.hpp"

namespace tasuki::transport::ucx {

class LauncherWireup final : public Wireup {
 public:
  /// Connects with the launcher that TASUKI_WIREUP names. Throws tasuki::error.
  LauncherWireup();
  ~LauncherWireup() override;
  LauncherWireup(const LauncherWireup&) = delete;
  LauncherWireup& operator=(const LauncherWireup&) = delete;

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }
  void allgather(std::span<const std::byte> own, std::byte* all) override;
  Sums sum(const Sums& own, const std::function<void()>& meanwhile) override;
  void publish(std::span<const std::byte> own) override;
  void ask(int rank) override;
  std::optional<Published> take_answer() override;
  std::string await_word_about(int rank) noexcept override;
  void lift_time_limit() noexcept override;
  void finish() noexcept override;

 private:
  /// A word, its argument, and bytes, which the next `flush` sends.
  void put(std::uint32_t word, std::uint32_t argument, std::span<const std::byte> bytes);
  /// Sends what the launcher takes by now. Returns: was that all?
  bool flush();
  /// Sends all that has been put.
  void flush_all();
  /// Takes in what has come. Returns: was there anything?
  bool take_in();
  /// Waits for the launcher to send, or to take, something; not for long, after which it throws if
  /// it is too late.
  void wait(short events, std::int64_t give_up_ns, int most_ms = check_interval_ms) const;
  std::int64_t give_up_time_ns() const noexcept;
  /// Waits until so much has come, and takes it out.
  void receive(void* bytes, std::size_t count);
  /// Waits for the answer, and takes out its word; keeps what comes before. `meanwhile`, which is
  /// only for sums, may wait for another one.
  void await_answer(std::uint32_t word, const std::function<void()>& meanwhile);
  std::size_t unread_bytes() const noexcept { return received_.size() - read_bytes_; }
  void take_out(void* bytes, std::size_t count) noexcept;
  /// Takes out an answer to `ask` if it has come whole.
  std::optional<Published> take_published();
  [[noreturn]] void refuse(const std::string& happened) const;
  [[noreturn]] void refuse_lost() const;

  /// How often a rank that waits checks for hosts that have vanished.
  static constexpr int check_interval_ms = 100;

  int socket_ = -1;
  int rank_ = 0;
  int size_ = 1;
  int most_ms_;  ///< That the others may take; -1: no limit.
  const char* operation_;
  std::vector<std::byte> outgoing_;
  std::vector<std::byte> received_;
  std::size_t read_bytes_ = 0;      ///< Of `received_`.
  std::uint32_t awaited_word_ = 0;  ///< Of the answer that is waited for.
  std::deque<Published> answers_;   ///< That have come before what was waited for.
  /// The answer to the sum that is waited for, if it has come before another one that is waited for
  /// meanwhile.
  std::vector<std::byte> kept_sum_;
};

}  // namespace tasuki::transport::ucx
