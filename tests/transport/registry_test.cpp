#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <tasuki/detail/transport/registry.hpp>
#include <tasuki/error.hpp>
#include <vector>

namespace tasuki::transport {
namespace {

/// What opening the transport says when it fails with these settings.
std::string failure_with(const char* transport, const char* mpi = "") {
  ::setenv("TASUKI_TRANSPORT", transport, 1);
  ::setenv("TASUKI_MPI", mpi, 1);
  std::string said;
  try {
    open_transport();
  } catch (const error& failure) {
    said = failure.what();
  }
  ::unsetenv("TASUKI_TRANSPORT");
  ::unsetenv("TASUKI_MPI");
  return said;
}

TEST(Registry, lists_every_transport_once_with_a_sentence) {
  std::vector<std::string> names;
  for (const Descriptor& descriptor : all_transports()) {
    names.emplace_back(descriptor.name);
    EXPECT_TRUE(std::string(descriptor.summary).ends_with('.')) << descriptor.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"shm", "mpi", "ucx", "loopback"}));
}

TEST(Registry, unknown_name_is_refused_with_the_known_ones) {
  const std::string said = failure_with("carrier-pigeon");
  EXPECT_NE(said.find("carrier-pigeon is not a transport"), std::string::npos) << said;
  EXPECT_NE(said.find("auto, shm, mpi, ucx, loopback"), std::string::npos) << said;
}

TEST(Registry, missing_plugins_are_named_with_the_folder_that_was_asked_for) {
  ::setenv("TASUKI_PLUGIN_DIR", "/nowhere", 1);
  const std::string said = failure_with("mpi", "mpich");
  ::unsetenv("TASUKI_PLUGIN_DIR");
  EXPECT_NE(said.find("there is no transport_mpi_mpich.so in /nowhere"), std::string::npos) << said;
  EXPECT_NE(said.find("tasuki mpi-plugin --output /nowhere; or set TASUKI_PLUGIN_DIR"),
            std::string::npos)
      << said;
}

TEST(Registry, unknown_mpi_is_refused_with_the_known_ones) {
  const std::string said = failure_with("mpi", "lam");
  EXPECT_NE(said.find("TASUKI_MPI=lam is not known"), std::string::npos) << said;
  EXPECT_NE(said.find("auto, ompi, mpich"), std::string::npos) << said;
}

TEST(Registry, loopback_says_how_it_is_started) {
  EXPECT_NE(failure_with("loopback").find("tasuki::run"), std::string::npos);
}

TEST(Registry, a_program_alone_gets_shared_memory) {
  EXPECT_STREQ(open_transport()->name(), "shm");
}

}  // namespace
}  // namespace tasuki::transport
