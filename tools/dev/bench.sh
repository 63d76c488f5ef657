command_bench() { :; }
