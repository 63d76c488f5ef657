# shellcheck shell=bash
# deploy-check: deploy/ without a cluster.

command_deploy_check() {
  (($# == 0)) || misused "deploy-check: what is '$1'?"
  need_npm_tools
  cd "$root" || exit
  local test
  for test in tests/deploy/*.test.mjs; do
    say "$test"
    MJ_BUILD_DIR=$build_dir node --test --test-reporter=spec "$test" >&2 || die "$test failed"
  done
}
