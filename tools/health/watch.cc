#include "tools/health/watch.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <vector>

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/byte_buffer.h>

namespace mj::health {
namespace {

// HealthCheckResponse { ServingStatus status = 1; } with SERVING = 1, in protobuf's wire format.
constexpr std::uint8_t kServingResponse[] = {0x08, 0x01};

bool IsServing(const grpc::ByteBuffer& message) {
  std::vector<grpc::Slice> slices;
  if (!message.Dump(&slices).ok()) return false;
  std::vector<std::uint8_t> bytes;
  for (const grpc::Slice& slice : slices) bytes.insert(bytes.end(), slice.begin(), slice.end());
  return std::equal(bytes.begin(), bytes.end(), std::begin(kServingResponse),
                    std::end(kServingResponse));
}

grpc::ChannelArguments QuickReconnects() {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 20);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 20);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 200);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return arguments;
}

// One operation at a time is started, so whatever the queue returns is the one that was waited for.
bool Completed(grpc::CompletionQueue& queue) {
  void* tag = nullptr;
  bool ok = false;
  return queue.Next(&tag, &ok) && ok;
}

}  // namespace

std::shared_ptr<grpc::ChannelCredentials> CredentialsFor(const std::string& authority_file) {
  if (authority_file.empty()) return grpc::InsecureChannelCredentials();
  std::ifstream file(authority_file);
  grpc::SslCredentialsOptions options;
  options.pem_root_certs.assign(std::istreambuf_iterator<char>(file), {});
  return options.pem_root_certs.empty() ? nullptr : grpc::SslCredentials(options);
}

Health WaitUntilServing(const std::string& address, std::chrono::system_clock::time_point deadline,
                        const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
  grpc::GenericStub stub(grpc::CreateCustomChannel(address, credentials, QuickReconnects()));
  grpc::ClientContext context;
  context.set_deadline(deadline);
  context.set_wait_for_ready(true);
  grpc::CompletionQueue queue;
  auto call = stub.PrepareCall(&context, "/grpc.health.v1.Health/Watch", &queue);

  Health health = Health::kNoAnswer;
  call->StartCall(nullptr);
  if (Completed(queue)) {
    grpc::Slice nothing;
    grpc::ByteBuffer request(&nothing, 1);
    call->WriteLast(request, grpc::WriteOptions(), nullptr);
    bool ok = Completed(queue);
    while (ok && health != Health::kServing) {
      grpc::ByteBuffer response;
      call->Read(&response, nullptr);
      ok = Completed(queue);
      if (ok) health = IsServing(response) ? Health::kServing : Health::kNotServing;
    }
  }
  context.TryCancel();
  grpc::Status status;
  call->Finish(&status, nullptr);
  Completed(queue);
  queue.Shutdown();
  return health;
}

}  // namespace mj::health
