#include <tasuki/detail/containers/npy_header.hpp>

#include <gtest/gtest.h>

#include <string_view>
#include <tasuki/error.hpp>

namespace tasuki::containers {
namespace {

using layout::Order;

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

NpyHeader parsed(std::string_view text, std::uint64_t& header_bytes) {
  return NpyHeader::parse(std::as_bytes(std::span(text)), header_bytes);
}

TEST(NpyHeaderTest, it_is_what_numpy_writes) {
  // By numpy.save of numpy.zeros((3, 4)).
  using namespace std::string_view_literals;
  std::string expected("\x93NUMPY\x01\0v\0"sv);
  expected += "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }";
  expected.resize(127, ' ');
  expected.push_back('\n');
  EXPECT_EQ(text_of(NpyHeader{"<f8", Order::row_major, {3, 4}}.bytes()), expected);
}

TEST(NpyHeaderTest, what_is_written_is_read) {
  for (const auto& extents : std::vector<std::vector<std::int64_t>>{{}, {7}, {3, 0}, {1, 2, 3}}) {
    for (const Order order : {Order::row_major, Order::column_major}) {
      const NpyHeader header{npy_type<float>(), order, extents};
      const Bytes bytes = header.bytes();
      EXPECT_EQ(bytes.size() % 64, 0U);
      std::uint64_t header_bytes = 0;
      EXPECT_EQ(NpyHeader::parse(bytes, header_bytes), header) << text_of(bytes);
      EXPECT_EQ(header_bytes, bytes.size());
    }
  }
}

TEST(NpyHeaderTest, a_header_of_one_dimension_has_a_comma) {
  const std::string text = text_of(NpyHeader{"<i4", Order::row_major, {7}}.bytes());
  EXPECT_NE(text.find("'shape': (7,)"), std::string::npos) << text;
}

TEST(NpyHeaderTest, types_are_named_as_numpy_names_them) {
  EXPECT_EQ(npy_type<double>(), "<f8");
  EXPECT_EQ(npy_type<std::complex<float>>(), "<c8");
  EXPECT_EQ(npy_type<std::int16_t>(), "<i2");
  EXPECT_EQ(npy_type<std::uint8_t>(), "|u1");
  EXPECT_EQ(npy_type<bool>(), "|b1");
}

TEST(NpyHeaderTest, other_files_are_refused) {
  std::uint64_t header_bytes = 0;
  using namespace std::string_view_literals;
  for (const std::string_view text :
       {""sv, "PK\3\4"sv, "\x93NUMPY\x01\0"sv, "\x93NUMPY\x01\0\xff\xff{}"sv,
        "\x93NUMPY\x01\0\x03\0{} "sv, "\x93NUMPY\x03\0\x03\0\0\0{} "sv}) {
    EXPECT_THROW(parsed(text, header_bytes), error) << text;
  }
}

}  // namespace
}  // namespace tasuki::containers
