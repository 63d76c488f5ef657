# shellcheck shell=bash
# deploy-check: deploy/ without a cluster.  image: the images of deploy/image.

command_deploy_check() {
  (($# == 0)) || misused "deploy-check: what is '$1'?"
  need_npm_tools
  need_packages "${packages_deploy[@]}"
  cd "$root" || exit
  local part
  for part in manifests monitoring; do
    say "$part"
    MJ_BUILD_DIR=$build_dir node --test --test-reporter=spec "tests/deploy/$part.test.mjs" >&2 || die "$part: failed"
  done
}

# image [--version V] [IMAGE...]: OCI archives and bills of materials in build/images. One line for each on stdout.
command_image() {
  local version images=()
  version=$(node -p 'require(process.argv[1]).version' "$root/package.json" 2>/dev/null || true)
  while (($#)); do
    case $1 in
      --version) [[ -n ${2:-} ]] || misused 'image: --version needs one'; version=$2; shift ;;
      --version=?*) version=${1#*=} ;;
      -*) misused "image: what is '$1'?" ;;
      *) images+=("$1") ;;
    esac
    shift
  done
  build_packages
  need_packages "${packages_database[@]}" binutils
  need_npm_tools
  [[ -n $version ]] || version=$(node -p 'require(process.argv[1]).version' "$root/package.json")
  say "building (release)"
  build release mj-scoring mj-wallet mj-table mj-matchmaking mj-health
  local revision='' time=0
  if revision=$(git -C "$root" rev-parse -q --verify HEAD 2>/dev/null); then
    time=$(git -C "$root" log -1 --format=%ct)
    [[ -z $(git -C "$root" status --porcelain 2>/dev/null) ]] || revision+=-dirty
  fi
  say "images"
  node "$root/tools/image/build.mjs" --bin "${MJ_IMAGE_BIN:-$root/build/release/bin}" --out "$root/build/images" \
    --version "$version" --time "${SOURCE_DATE_EPOCH:-$time}" --revision "$revision" "${images[@]}" || die 'no image'
  note "archives and bills of materials: build/images"
}
