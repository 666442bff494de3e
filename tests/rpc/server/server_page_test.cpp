#include "rpc/server/server_page.hpp"

#include <gtest/gtest.h>

#include <array>
#include <future>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "rpc/server/played_view.hpp"
#include "rpc/tls/digest.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/temporary_folder.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// The page of a server at port 7777 whose users are ann and bob; their tokens are ann's and bob's.
class ServerPageTest : public PlayedView {
 protected:
  ServerPageTest() : PlayedView({{"ann", sha256_text("ann's")}, {"bob", sha256_text("bob's")}}) {
    folder_.write("index.html", "<p>the page</p>");
    page_.emplace(folder_.name(), view_, control_, audit_, browsers_most);
  }

  /// Returns: the whole answer to a request of one connection.
  std::string ask(const std::string& request_line, const std::string& headers = "",
                  const std::string& body = "", bool must_encrypt = false) {
    Listener listener({"127.0.0.1", 0});
    Socket browser = Socket::connect({"127.0.0.1", listener.port()}, patience);
    browser.set_timeout(patience);
    const auto connection = std::make_shared<Socket>(listener.accept(patience));
    auto serving = std::async(std::launch::async, [&, connection = connection] {
      page_->serve(connection, must_encrypt);
      connection->shut_down();
    });
    const std::string request =
        request_line + " HTTP/1.1\r\nHost: localhost:7777\r\n" + headers +
        "Connection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    browser.send(request.data(), request.size());
    serving.get();
    std::string answer;
    std::array<std::byte, 4096> buffer{};
    try {
      while (true) {
        const std::size_t bytes = browser.receive_some(buffer);
        answer.append(reinterpret_cast<const char*>(buffer.data()), bytes);
      }
    } catch (const error&) {
      return answer;  // It has ended.
    }
  }
  static std::string with_token(const std::string& token) {
    return "Authorization: Bearer " + token + "\r\n";
  }
  static bool has(const std::string& answer, const std::string& text) {
    return answer.find(text) != std::string::npos;
  }
  static std::string status_of(const std::string& answer) { return answer.substr(9, 3); }
  /// Returns: what follows the headers.
  static json body_of(const std::string& answer) {
    return json::parse(answer.substr(answer.find("\r\n\r\n") + 4));
  }
  /// Returns: the header by which a browser shows its login later on.
  static std::string cookie_in(const std::string& answer) {
    const std::string name = "Set-Cookie: ";
    const std::size_t begin = answer.find(name) + name.size();
    return "Cookie: " + answer.substr(begin, answer.find(';', begin) - begin) + "\r\n";
  }

  static constexpr Socket::Seconds patience{60};
  static constexpr int browsers_most = 2;
  const TemporaryFolder folder_;
  AuditLog audit_{""};
  ServerControl control_{modules_, log_, kept_, audit_};
  std::optional<ServerPage> page_;
};

TEST_F(ServerPageTest, ItsFilesNeedNoTokenAndMayNotBeFramed) {
  const std::string page = ask("GET /");
  EXPECT_EQ(status_of(page), "200");
  EXPECT_TRUE(has(page, "<p>the page</p>")) << page;
  EXPECT_TRUE(has(page, "frame-ancestors 'none'")) << page;
  EXPECT_FALSE(has(ask("HEAD /"), "<p>the page</p>"));
  EXPECT_TRUE(has(ask("POST /"), "Allow: GET\r\n"));
}

TEST_F(ServerPageTest, WhatTellsOfCallsAsksForAToken) {
  for (const std::string path :
       {"/api/status", "/api/routines", "/api/calls", "/api/ranks", "/api/arrays", "/metrics"}) {
    const std::string refused = ask("GET " + path);
    EXPECT_EQ(status_of(refused), "401") << path;
    EXPECT_TRUE(has(refused, "This server asks for a token.")) << refused;
    EXPECT_TRUE(has(refused, "WWW-Authenticate: Bearer")) << refused;
    EXPECT_EQ(status_of(ask("GET " + path, with_token("ann's"))), "200") << path;
  }
  EXPECT_TRUE(has(ask("GET /metrics", with_token("eve's")), "The server does not know the token."));
}

TEST_F(ServerPageTest, ALoginIsTheUserUntilTheLogout) {
  EXPECT_EQ(status_of(ask("POST /login", "", "token=eve%27s")), "401");
  const std::string login = ask("POST /login", "", "token=ann%27s");
  EXPECT_EQ(status_of(login), "204");
  EXPECT_TRUE(has(login, "; HttpOnly; SameSite=Strict")) << login;
  EXPECT_FALSE(has(login, "ann's")) << login;
  const std::string cookie = cookie_in(login);
  EXPECT_EQ(cookie.find("Cookie: tasuki_7777="), 0U) << cookie;  // Not that of another port.
  EXPECT_EQ(body_of(ask("GET /api/status", cookie)).at("user"), "ann");
  EXPECT_TRUE(has(ask("POST /logout", cookie), "; Max-Age=0"));
  EXPECT_EQ(status_of(ask("GET /api/status", cookie)), "401");
}

TEST_F(ServerPageTest, ALoginEndsWithItsUser) {
  const std::string cookie = cookie_in(ask("POST /login", "", "token=bob%27s"));
  EXPECT_EQ(status_of(ask("GET /api/status", cookie)), "200");
  users_.replace({{"ann", sha256_text("ann's")}});
  EXPECT_EQ(status_of(ask("GET /api/status", cookie)), "401");
}

TEST_F(ServerPageTest, PastCallsAreAsManyAsOneAsksFor) {
  call("ann", "done");
  call("ann", "done");
  const auto past = [this](const std::string& parameters) {
    return body_of(ask("GET /api/calls" + parameters, with_token("ann's"))).at("past").size();
  };
  EXPECT_EQ(past(""), 2U);
  EXPECT_EQ(past("?past=1"), 1U);
  for (const std::string wrong : {"-1", "many", "1x", ""}) {
    EXPECT_EQ(status_of(ask("GET /api/calls?past=" + wrong, with_token("ann's"))), "400") << wrong;
  }
}

TEST_F(ServerPageTest, UsersCancelNoCallsOfOthers) {
  const std::string path = "DELETE /api/calls/" + std::to_string(call("ann", "computing"));
  EXPECT_TRUE(has(ask(path, with_token("bob's")), "The call is another user's."));
  EXPECT_EQ(status_of(ask(path)), "401");
  for (const std::string none : {"999", "-1", "first", "1%2F2"}) {
    const std::string answer = ask("DELETE /api/calls/" + none, with_token("ann's"));
    EXPECT_TRUE(has(answer, "No such call waits or is under way")) << answer;
  }
}

TEST_F(ServerPageTest, UsersFreeWhatIsTheirsAndLearnOfNothingElse) {
  const json array = {
      {"name", "a b"}, {"is_object", false}, {"bytes", 8}, {"about", json::object()}};
  kept_.take("program", {"m", "f", "ann"}, {{"kept", json::array({array})}});
  const std::string of_another = ask("DELETE /api/arrays/a%20b", with_token("bob's"));
  EXPECT_EQ(status_of(of_another), "404");
  EXPECT_TRUE(has(of_another, "You have no such array or object on the ranks."));
  EXPECT_EQ(status_of(ask("DELETE /api/arrays/c", with_token("ann's"))), "404");
  EXPECT_EQ(status_of(ask("DELETE /api/arrays/a%20b", with_token("ann's"))), "202");
}

TEST_F(ServerPageTest, WhatIsNotThereAndMethodsThatAreNotAreToldApart) {
  for (const std::string path : {"/api", "/api/calls/1/2", "/api/calls/", "/secret"}) {
    EXPECT_EQ(status_of(ask("GET " + path, with_token("ann's"))), "404") << path;
  }
  const std::string wrong = ask("POST /metrics", with_token("ann's"));
  EXPECT_EQ(status_of(wrong), "405");
  EXPECT_TRUE(has(wrong, "Allow: GET\r\n")) << wrong;
  EXPECT_TRUE(has(ask("GET /api/calls/1", with_token("ann's")), "Allow: DELETE\r\n"));
}

TEST_F(ServerPageTest, PagesOfOtherSitesChangeNothing) {
  const std::string answer = ask("POST /login", "Origin: http://evil.example\r\n", "token=ann%27s");
  EXPECT_EQ(status_of(answer), "403");
  EXPECT_FALSE(has(answer, "Set-Cookie")) << answer;
}

/// A browser that keeps its connection after the answer to a request.
class StayingBrowser {
 public:
  StayingBrowser(ServerPage& page, const std::string& token) : ends_(connected_by_tcp()) {
    ends_.second.set_timeout(Socket::Seconds(60));
    const auto connection = std::make_shared<Socket>(std::move(ends_.first));
    serving_ = std::thread([&page, connection] {
      happened_in([&] { page.serve(connection, false); });
      connection->shut_down();
    });
    const std::string request =
        "GET /api/status HTTP/1.1\r\nHost: localhost:7777\r\nAuthorization: Bearer " + token +
        "\r\n\r\n";
    ends_.second.send(request.data(), request.size());
    std::array<char, 12> begin{};
    ends_.second.receive(begin.data(), begin.size());
    status_ = std::string(begin.data() + 9, 3);
  }
  ~StayingBrowser() {
    ends_.second.shut_down();
    serving_.join();
  }
  StayingBrowser(const StayingBrowser&) = delete;
  StayingBrowser& operator=(const StayingBrowser&) = delete;

  const std::string& status() const { return status_; }

 private:
  std::pair<Socket, Socket> ends_;
  std::string status_;
  std::thread serving_;
};

TEST_F(ServerPageTest, TheBrowsersOfAUserTakeNoPlacesOfOthers) {
  std::list<StayingBrowser> browsers;
  for (int i = 0; i < browsers_most; ++i) {
    EXPECT_EQ(browsers.emplace_back(*page_, "ann's").status(), "200");
  }
  EXPECT_EQ(browsers.emplace_back(*page_, "ann's").status(), "503");
  EXPECT_TRUE(has(ask("GET /api/status", with_token("ann's")), "larger --browser-limit"));
  for (int i = 0; i < browsers_most; ++i) {
    EXPECT_EQ(browsers.emplace_back(*page_, "bob's").status(), "200");
  }
  EXPECT_EQ(status_of(ask("GET /")), "200");  // Of a stranger.
  browsers.clear();
  EXPECT_EQ(status_of(ask("GET /api/status", with_token("ann's"))), "200");
}

TEST_F(ServerPageTest, WhereAllIsEncryptedNothingElseIsAnswered) {
  const std::string page = ask("GET /", "", "", true);
  EXPECT_EQ(status_of(page), "307");
  EXPECT_TRUE(has(page, "Location: https://localhost:7777/\r\n")) << page;
  EXPECT_EQ(status_of(ask("GET /metrics", with_token("ann's"), "", true)), "400");
}

}  // namespace
}  // namespace tasuki::rpc
