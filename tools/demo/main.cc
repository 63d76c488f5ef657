#include <iostream>
#include <variant>

#include "tools/demo/command_line.h"
#include "tools/demo/demo.h"

int main(int argc, char** argv) {
  const auto options = mj::demo::ParseCommandLine(argc, argv);
  if (const int* exit_code = std::get_if<int>(&options)) return *exit_code;
  const bool good =
      mj::demo::RunDemo(std::get<mj::demo::DemoOptions>(options), std::cout, std::cerr);
  return good && std::cout.good() ? 0 : 1;
}
