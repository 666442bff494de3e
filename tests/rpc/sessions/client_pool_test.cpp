#include "rpc/sessions/client_pool.hpp"

#include <gtest/gtest.h>

#include <tasuki/error.hpp>
#include <thread>

#include "rpc/sessions/small_server.hpp"

namespace tasuki::rpc {
namespace {

/// Waits until the client has heard that its connection has ended.
void await_end(const Client& client) {
  while (client.is_connected()) std::this_thread::yield();
}

TEST(ClientPoolTest, ThoseWhoCallAtOnceHaveClientsOfTheirOwn) {
  const SmallServer server;
  ClientPool pool;
  const ClientPool::Taken first = pool.take(server.url());
  const ClientPool::Taken second = pool.take(server.url());
  EXPECT_NE(first.get(), second.get());
  EXPECT_EQ(first->modules().at(0).name, "m");
  EXPECT_EQ(server.connections_count(), 2);
}

TEST(ClientPoolTest, AClientThatIsGivenBackIsTakenAgain) {
  const SmallServer server;
  const SmallServer other;
  ClientPool pool;
  const Client* const first = pool.take(server.url()).get();
  EXPECT_EQ(pool.take(server.url()).get(), first);
  const ClientPool::Taken elsewhere = pool.take(other.url());
  EXPECT_NE(elsewhere.get(), first);
  EXPECT_EQ(server.connections_count(), 1);
  EXPECT_EQ(other.connections_count(), 1);
}

TEST(ClientPoolTest, WhatHasNoConnectionAnyMoreIsNotTaken) {
  SmallServer server;
  ClientPool pool;
  {
    const ClientPool::Taken held = pool.take(server.url());
    const Client* const idle = pool.take(server.url()).get();  // From here on.
    server.end_connections();
    await_end(*held);
    await_end(*idle);
  }
  const ClientPool::Taken taken = pool.take(server.url());
  EXPECT_TRUE(taken->is_connected());
  EXPECT_EQ(server.connections_count(), 3);
}

TEST(ClientPoolTest, AServerThatIsNotThereIsAnError) {
  ClientPool pool;
  EXPECT_THROW(pool.take("tasuki://127.0.0.1:1"), error);
  EXPECT_THROW(pool.take("no address"), error);
}

}  // namespace
}  // namespace tasuki::rpc
