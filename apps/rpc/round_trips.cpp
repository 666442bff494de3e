// Times calls of routine transfer/nothing beside bare round trips over TCP, in turn, and prints
// both in seconds: rpc_round_trips PORT ROUNDS CALLS.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <tasuki/client.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

/// As long as the messages of such a call.
constexpr std::size_t message_bytes = 64;
using Message = std::array<char, message_bytes>;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

bool receive(int socket, Message& message) {
  return recv(socket, message.data(), message.size(), MSG_WAITALL) ==
         static_cast<ssize_t>(message.size());
}

bool send_all(int socket, const Message& message) {
  return send(socket, message.data(), message.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(message.size());
}

/// A process that sends back what it gets, and the connection to it.
class Echo {
 public:
  Echo() {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t bytes = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    if (bind(listener, plain, sizeof address) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, plain, &bytes) != 0) {
      fail("cannot listen");
    }
    child_ = fork();
    if (child_ == 0) {
      answer(accept(listener, nullptr, nullptr));
      _exit(0);
    }
    close(listener);
    socket_ = socket(AF_INET, SOCK_STREAM, 0);
    if (child_ < 0 || connect(socket_, plain, sizeof address) != 0) fail("cannot connect");
    send_at_once(socket_);
  }
  ~Echo() {
    close(socket_);
    waitpid(child_, nullptr, 0);
  }
  Echo(const Echo&) = delete;
  Echo& operator=(const Echo&) = delete;

  void round_trip() {
    Message message{};
    if (!send_all(socket_, message) || !receive(socket_, message)) fail("the echo has ended");
  }

 private:
  static void send_at_once(int socket) {
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  static void answer(int socket) {
    send_at_once(socket);
    Message message{};
    while (receive(socket, message) && send_all(socket, message)) {
    }
  }

  int socket_ = -1;
  pid_t child_ = -1;
};

int number(const char* text) { return static_cast<int>(std::strtol(text, nullptr, 10)); }

template <class Work>
double seconds_of(int count, Work work) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / count;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) fail("usage: rpc_round_trips PORT ROUNDS CALLS");
  Echo echo;
  tasuki_client* const client =
      tasuki_client_connect("localhost", static_cast<std::uint16_t>(number(argv[1])));
  if (client == nullptr) fail(tasuki_client_error());
  const auto call = [&] {
    if (tasuki_client_call(client, "transfer", "nothing", R"({"n": 1})", nullptr, 0) == nullptr) {
      fail(tasuki_client_error());
    }
  };
  const int calls = number(argv[3]);
  call();
  std::string separator;
  std::printf(R"({"rounds": [)");
  for (int round = 0; round < number(argv[2]); ++round) {
    const double bare_s = seconds_of(calls, [&] { echo.round_trip(); });
    const double call_s = seconds_of(calls, call);
    std::printf(R"(%s{"bare": %.9f, "call": %.9f})", separator.c_str(), bare_s, call_s);
    separator = ", ";
  }
  std::printf("]}\n");
  tasuki_client_close(client);
}
