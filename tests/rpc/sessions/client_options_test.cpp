#include "rpc/sessions/client_options.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <functional>
#include <string>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include "rpc/sessions/server_address.hpp"
#include "rpc/sessions/small_server.hpp"

namespace tasuki::rpc {
namespace {

std::string said(const std::function<void()>& work) {
  try {
    work();
  } catch (const error& fault) {
    return fault.operation() + ": " + fault.happened() + ": " + fault.remedy();
  }
  return "";
}

TEST(ClientOptionsTest, EachModeAndFormHasItsName) {
  for (const TransferModeTraits& one : transfer_modes) {
    EXPECT_EQ(named_mode(std::string(one.name)), one.mode);
  }
  for (const WireFormat one : {WireFormat::native, WireFormat::xdr}) {
    EXPECT_EQ(named_wire_format(std::string(name_of(one))), one);
  }
}

TEST(ClientOptionsTest, OtherNamesAreRefusedWithThoseThereAre) {
  EXPECT_EQ(said([] { named_mode("post"); }),
            "choose a mode: there is no mode post: choose one of auto, memory, hand-off, "
            "sequential, call-back, relay, buffering, original");
  EXPECT_EQ(said([] { named_wire_format("ascii"); }),
            "choose a wire format: there is no wire format ascii: choose native or xdr");
}

TEST(ClientOptionsTest, TheHelpOfTheSettingsNamesAllModesAndForms) {
  const std::string modes = base::setting::rpc_mode.full_help();
  for (const TransferModeTraits& one : transfer_modes) {
    EXPECT_NE(modes.find(one.name), std::string::npos) << one.name;
  }
  const std::string forms = base::setting::rpc_wire.full_help();
  for (const WireFormat one : {WireFormat::native, WireFormat::xdr}) {
    EXPECT_NE(forms.find(name_of(one)), std::string::npos);
  }
}

TEST(ClientOptionsTest, ASettingThatNamesNothingIsNamedUnlessTheProgramChooses) {
  const SmallServer server;
  Client client(server_addresses(server.url()), {});
  const auto applied = [&client](const ClientOptions& options) {
    return said([&] { apply(options, client); });
  };
  EXPECT_EQ(applied({}), "");
  setenv("TASUKI_RPC_MODE", "post", 1);
  EXPECT_EQ(applied({}).find("read TASUKI_RPC_MODE: there is no mode post"), 0U);
  EXPECT_EQ(applied({.mode = TransferMode::relay}), "");
  setenv("TASUKI_RPC_WIRE", "ascii", 1);
  EXPECT_EQ(applied({.mode = TransferMode::relay}).find("read TASUKI_RPC_WIRE: there is no"), 0U);
  EXPECT_EQ(applied({.mode = TransferMode::relay, .wire = WireFormat::xdr}), "");
  unsetenv("TASUKI_RPC_MODE");
  unsetenv("TASUKI_RPC_WIRE");
}

}  // namespace
}  // namespace tasuki::rpc
