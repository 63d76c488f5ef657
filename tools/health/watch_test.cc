#include "tools/health/watch.h"

#include <chrono>
#include <future>
#include <memory>
#include <string>

#include <grpcpp/ext/health_check_service_server_builder_option.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

namespace mj::health {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::system_clock;

class WaitUntilServingTest : public ::testing::Test {
 protected:
  void StartServer() {
    grpc::EnableDefaultHealthCheckService(true);
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterCallbackGenericService(&refuses_the_rest_);
    server_ = builder.BuildAndStart();
    ASSERT_NE(server_, nullptr);
    address_ = "127.0.0.1:" + std::to_string(port);
  }
  void Serve(bool serving) { server_->GetHealthCheckService()->SetServingStatus(serving); }

  grpc::CallbackGenericService refuses_the_rest_;
  std::unique_ptr<grpc::Server> server_;
  std::string address_;
};

TEST_F(WaitUntilServingTest, ServingAtOnce) {
  StartServer();
  Serve(true);
  EXPECT_EQ(WaitUntilServing(address_, system_clock::now() + seconds(20)), Health::kServing);
}

TEST_F(WaitUntilServingTest, NotServingUntilTheDeadline) {
  StartServer();
  Serve(false);
  EXPECT_EQ(WaitUntilServing(address_, system_clock::now() + milliseconds(300)),
            Health::kNotServing);
}

TEST_F(WaitUntilServingTest, SeesTheChangeWhileItWaits) {
  StartServer();
  Serve(false);
  auto answer = std::async(std::launch::async, [&] {
    return WaitUntilServing(address_, system_clock::now() + seconds(20));
  });
  EXPECT_EQ(answer.wait_for(milliseconds(200)), std::future_status::timeout);
  Serve(true);
  EXPECT_EQ(answer.get(), Health::kServing);
}

TEST_F(WaitUntilServingTest, NobodyListens) {
  StartServer();
  server_->Shutdown();
  EXPECT_EQ(WaitUntilServing(address_, system_clock::now() + milliseconds(300)), Health::kNoAnswer);
}

TEST_F(WaitUntilServingTest, AnAuthorityThatCannotBeRead) {
  EXPECT_EQ(CredentialsFor("/no/such/file"), nullptr);
  EXPECT_NE(CredentialsFor(""), nullptr);
}

TEST_F(WaitUntilServingTest, NoAddressAtAll) {
  EXPECT_EQ(WaitUntilServing("no such host:1", system_clock::now() + milliseconds(300)),
            Health::kNoAnswer);
}

}  // namespace
}  // namespace mj::health
