#include "tools/mahjongctl/run.h"

int main(int argc, char** argv) { return mj::mahjongctl::Run(argc, argv); }
