// The wire-up by `tasuki run`: each rank is connected with the launcher, which passes on to all
// what each has said (docs/design/launch.md).
//
// Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
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
  Sums sum(const Sums& own) override;
  void publish(std::span<const std::byte> own) override;
  std::vector<std::byte> ask(int rank) override;
  void lift_time_limit() noexcept override { most_ms_ = -1; }
  void finish() noexcept override;

 private:
  void send(const void* bytes, std::size_t count);
  /// A word, its argument, and bytes.
  void send(std::uint32_t word, std::uint32_t argument, std::span<const std::byte> bytes);
  void receive(void* bytes, std::size_t count);

  int socket_ = -1;
  int rank_ = 0;
  int size_ = 1;
  int most_ms_;  ///< That the others may take; -1: no limit.
};

}  // namespace tasuki::transport::ucx
