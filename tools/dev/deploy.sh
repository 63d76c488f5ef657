# shellcheck shell=bash
# deploy-check: deploy/ without a cluster.  image: the images of deploy/image.

command_deploy_check() {
  (($# == 0)) || misused "deploy-check: what is '$1'?"
  need_packages "${packages_deploy[@]}"
  need_npm_tools
  cd "$root" || exit
  local test
  for test in tests/deploy/*.test.mjs; do
    # Images are made of programs: `./dev test` has them.
    [[ $test != */images.test.mjs ]] || continue
    say "$test"
    MJ_BUILD_DIR=$build_dir node --test --test-reporter=spec "$test" >&2 || die "$test failed"
  done
}

# image [--version V] [IMAGE...]: OCI archives and bills of materials in build/images. One line for each on stdout.
# MJ_IMAGE_BIN: a folder of programs to take as they are, instead of a release build.
command_image() {
  local version='' images=()
  while (($#)); do
    case $1 in
      --version) [[ -n ${2:-} ]] || misused 'image: --version needs one'; version=$2; shift ;;
      --version=?*) version=${1#*=} ;;
      -*) misused "image: what is '$1'?" ;;
      *) images+=("$1") ;;
    esac
    shift
  done
  make_images "$root/build/images" "$version" "${images[@]}"
  note "archives and bills of materials: build/images"
}

# make_images FOLDER VERSION [IMAGE...]: without a version, that of package.json.
make_images() {
  local folder=$1 version=$2
  shift 2
  need_packages "${packages_image[@]}"
  need_npm_tools
  [[ -n $version ]] || version=$(node -p 'require(process.argv[1]).version' "$root/package.json")
  if [[ -z ${MJ_IMAGE_BIN:-} ]]; then
    build_packages
    say "building (release)"
    build release mj-scoring mj-wallet mj-table mj-matchmaking mj-health
  fi
  local revision='' time=0
  if revision=$(git -C "$root" rev-parse -q --verify HEAD 2>/dev/null); then
    time=$(git -C "$root" log -1 --format=%ct)
    [[ -z $(git -C "$root" status --porcelain 2>/dev/null) ]] || revision+=-dirty
  fi
  say "images"
  node "$root/tools/image/build.mjs" --bin "${MJ_IMAGE_BIN:-$root/build/release/bin}" --out "$folder" \
    --version "$version" --time "${SOURCE_DATE_EPOCH:-$time}" --revision "$revision" "$@" || die 'no image'
}
