#include "rpc/wire/file_transfer.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <tasuki/error.hpp>
#include <thread>

#include "rpc/wire/private_file.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

void write(const PrivateFile& file, const std::string& text) { std::ofstream(file.path()) << text; }

std::string text_of(const PrivateFile& file) {
  std::ifstream stream(file.path());
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string text_of_bytes(std::size_t bytes) {
  std::string text(bytes, 'a');
  for (std::size_t i = 0; i < bytes; i += 97) text[i] = static_cast<char>('a' + i % 26);
  return text;
}

TEST(FileTransferTest, AFileArrivesAsItIsAndReplacesWhatWasThere) {
  for (const std::size_t bytes : {0, 1, 256 << 10, (600 << 10) + 7}) {
    const PrivateFile from;
    const PrivateFile to;
    const std::string text = text_of_bytes(bytes);
    write(from, text);
    write(to, "longer than nothing");
    auto [near, far] = connected();
    std::thread sending([&] { send_file(near, from.descriptor(), from.bytes()); });
    receive_file(far, to.descriptor(), static_cast<std::int64_t>(bytes));
    sending.join();
    EXPECT_EQ(text_of(to), text);
  }
}

TEST(FileTransferTest, BytesArePassedOnToAll) {
  const std::string text = text_of_bytes(300 << 10);
  auto [source, front] = connected();
  auto [first_end, first] = connected();
  auto [second_end, second] = connected();
  Socket* const to[] = {&first_end, &second_end};
  std::thread sending([&] { source.send(text.data(), text.size()); });
  std::thread passing([&] { pass_bytes(front, to, static_cast<std::int64_t>(text.size())); });
  std::string got(text.size(), ' ');
  std::string also_got(text.size(), ' ');
  std::thread receiving([&] { second.receive(also_got.data(), also_got.size()); });
  first.receive(got.data(), got.size());
  sending.join();
  passing.join();
  receiving.join();
  EXPECT_EQ(got, text);
  EXPECT_EQ(also_got, text);
}

TEST(FileTransferTest, AFileThatHasBecomeShorterIsAnError) {
  const PrivateFile from;
  write(from, "abc");
  auto [near, far] = connected();
  EXPECT_THROW(send_file(near, from.descriptor(), 4), error);
}

TEST(FileTransferTest, AFileThatCannotBeWrittenIsAnError) {
  auto [near, far] = connected();
  near.send("abc", 3);
  EXPECT_THROW(receive_file(far, -1, 3), error);
}

}  // namespace
}  // namespace tasuki::rpc
