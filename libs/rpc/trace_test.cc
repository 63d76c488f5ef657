#include "libs/rpc/trace.h"

#include <gtest/gtest.h>

#include <string>

namespace mj::rpc {
namespace {

// The specification's own example.
constexpr const char* kExample = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(TraceTest, ThereAndBack) {
  const auto trace = ParseTraceParent(kExample);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->trace_id, "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(trace->span_id, "00f067aa0ba902b7");
  EXPECT_TRUE(trace->sampled);
  EXPECT_EQ(TraceParentOf(*trace), kExample);
}

TEST(TraceTest, OnlyTheLastFlagIsRead) {
  const std::string ids = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-";
  EXPECT_FALSE(ParseTraceParent(ids + "00")->sampled);
  EXPECT_FALSE(ParseTraceParent(ids + "fe")->sampled);
  EXPECT_TRUE(ParseTraceParent(ids + "0b")->sampled);
}

TEST(TraceTest, AVersionToComeIsReadAsFarAsItIsKnown) {
  const std::string rest = std::string(kExample).substr(2);
  EXPECT_TRUE(ParseTraceParent("01" + rest));
  EXPECT_TRUE(ParseTraceParent("01" + rest + "-more"));
  EXPECT_FALSE(ParseTraceParent("01" + rest + "more"));
  EXPECT_FALSE(ParseTraceParent("ff" + rest));
}

TEST(TraceTest, WhatIsNone) {
  for (const char* header : {"", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
                             "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
                             "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
                             "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                             "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                             "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                             "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
                             "0g-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}) {
    EXPECT_FALSE(ParseTraceParent(header)) << header;
  }
}

TEST(TraceTest, AnIdIsATrace) {
  const auto trace = TraceOfId("01941f29-7c00-7000-8000-0123456789ab");
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->trace_id, "01941f297c00700080000123456789ab");
  EXPECT_EQ(trace->span_id, "80000123456789ab");
  EXPECT_EQ(ParseTraceParent(TraceParentOf(*trace)), trace);
  for (const char* id :
       {"", "my-id", "01941f29-7c00-7000-8000-0123456789a", "01941f29x7c00-7000-8000-0123456789ab",
        "01941F29-7c00-7000-8000-0123456789ab", "00000000-0000-0000-0000-000000000000"}) {
    EXPECT_FALSE(TraceOfId(id)) << id;
  }
}

TEST(TraceTest, ScopesNest) {
  const Trace outer{.trace_id = "a"};
  const Trace inner{.trace_id = "b"};
  EXPECT_EQ(CurrentTrace(), nullptr);
  {
    const TraceScope first(outer);
    {
      const TraceScope second(inner);
      EXPECT_EQ(CurrentTrace(), &inner);
    }
    EXPECT_EQ(CurrentTrace(), &outer);
  }
  EXPECT_EQ(CurrentTrace(), nullptr);
}

}  // namespace
}  // namespace mj::rpc
