#include "rpc/wire/wire_format.hpp"

#include <gtest/gtest.h>

#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

TEST(WireFormatTest, AMessageSaysTheFormOrItIsNative) {
  EXPECT_EQ(wire_format_in({{"message", "call"}}), WireFormat::native);
  EXPECT_EQ(wire_format_in({{"wire", "xdr"}}), WireFormat::xdr);
  EXPECT_EQ(wire_format_in({{"wire", "native"}}), WireFormat::native);
  EXPECT_EQ(wire_format_in({{"callback_wire", "xdr"}}), WireFormat::native);
  EXPECT_EQ(wire_format_in({{"callback_wire", "xdr"}}, "callback_wire"), WireFormat::xdr);
}

TEST(WireFormatTest, AnotherFormIsRefused) {
  EXPECT_EQ(happened_in([] {
              wire_format_in({{"wire", "json"}});
            }),
            "they are in no form that is known here");
  EXPECT_EQ(happened_in([] {
              wire_format_in({{"wire", 1}});
            }),
            "its field wire is missing or of another type");
}

}  // namespace
}  // namespace tasuki::rpc
