# shellcheck shell=bash
# pods: the overlay dev of deploy/k8s under podman, the demo against it, and nothing left of it.
#
# It all happens in a network and a mount namespace of its own, with a /run of its own: bridge, firewall, resolver and
# podman's locks go with the last process. $pods holds the rest (images, containers, keys) and is deleted at the end.
# podman's own state on this machine is not touched.

# runc: crun fails in many virtual machines. iptables is netavark's, catatonit is each pod's first process.
packages_pods=(podman runc conmon netavark aardvark-dns iptables catatonit)
pods_overlay=deploy/k8s/overlays/dev
# Of one step: a pod's start, with the wait for the schema; the Job.
pods_limit_s=60

command_pods() {
  local arguments=()
  while (($#)); do
    case $1 in
      --variant | --rounds | --seed)
        [[ -n ${2:-} ]] || misused "pods: $1 needs a value"
        arguments+=("$1" "$2"); shift 2 ;;
      --variant=?* | --rounds=?* | --seed=?*) arguments+=("${1%%=*}" "${1#*=}"); shift ;;
      *) misused "pods: what is '$1'?" ;;
    esac
  done
  if [[ ${MJ_PODS_INSIDE:-} != yes ]]; then
    ((EUID == 0)) || die "pods: containers with a network of their own want root: sudo ./dev pods"
    need_packages "${packages_image[@]}" "${packages_pods[@]}"
    prepare_stack mj-demo
    unshare --mount --net true 2>/dev/null ||
      die "pods: podman cannot run here: this machine allows no new namespaces (in a container, that one has to be privileged)"
    # The programs are there: no build in a network that leads nowhere.
    MJ_NO_BUILD=1 MJ_PODS_INSIDE=yes exec unshare --mount --net "$root/dev" pods "${arguments[@]}"
  fi
  pods_play "${arguments[@]}"
}

# pod_man ARGS...: podman, with all that it keeps in $pods and in our own /run.
pod_man() {
  CONTAINERS_CONF=$pods/containers.conf timeout "$pods_limit_s" podman --root "$pods/root" \
    --network-config-dir "$pods/networks" --storage-driver "$pods_storage" "$@" </dev/null
}

# pods_play ARGS...: everything, in our own namespaces, until the demo with ARGS has ended.
pods_play() {
  pods=$(mktemp -d /var/tmp/mahjong-pods.XXXXXX)
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  trap pods_leave EXIT
  mount -t tmpfs -o mode=755 tmpfs /run || die "pods: no /run of its own"
  pods_prepare
  pods_start
  pods_demo "$@"
}

# Stops all pods, however far they have come. What is mounted below $pods must go before it.
pods_leave() {
  local status=$? place
  set +e
  trap '' INT TERM HUP
  say "removing the pods"
  [[ -z ${demo_pid:-} ]] || kill -TERM "$demo_pid" 2>/dev/null
  pod_man pod rm -af -t 2 >/dev/null 2>&1
  while read -r place; do umount "$place"; done < <(cut -d' ' -f5 /proc/self/mountinfo | grep -F "$pods/" | sort -r)
  # podman leaves the pods' control groups; those in which something runs stay.
  find /sys/fs/cgroup -depth -path '*/libpod_parent*' -type d -exec rmdir {} \; 2>/dev/null
  rm -rf -- "$pods" || complain "something is left in $pods"
  exit "$status"
}

# Images, keys, Secrets and a network; what podman cannot do at all shows here.
pods_prepare() {
  local said image file name hosts=()
  cat >"$pods/containers.conf" <<'CONF'
[containers]
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
base_hosts_file = "none"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
CONF
  # An overlay file system cannot stand on another one, as in a container; copies can.
  pods_storage=overlay
  if ! pod_man info >/dev/null 2>&1; then
    rm -rf "$pods/root"
    pods_storage=vfs
    said=$(pod_man info 2>&1) || die "pods: podman cannot run here: $(tail -n 1 <<<"$said")"
  fi
  MJ_IMAGE_BIN=${MJ_IMAGE_BIN:-$build_dir/bin} make_images "$pods/images" dev
  for file in "$pods"/images/*.oci.tar; do
    image=$(basename "$file" .oci.tar)
    said=$(pod_man load -q -i "$file" 2>&1) || die "pods: podman does not take the image $image: $said"
  done
  said=$(pod_man network create mahjong 2>&1) || die "pods: podman makes no network: $said"
  said=$(pod_man run --rm --read-only --network mahjong localhost/mahjong/scoring:dev --help 2>&1) ||
    die "pods: podman cannot run a container here: $(tail -n 1 <<<"$said")"

  for name in scoring wallet table tables matchmaking table-0.table.mahjong-dev.svc; do hosts+=(--host "$name"); done
  "$build_dir/bin/mahjongctl" keys dev --out "$pods/keys" "${hosts[@]}" 2>/dev/null || die "mahjongctl keys has failed"
  # Rounds at a pace for people would take minutes.
  node "$root/tools/pods/write.mjs" --keys "$pods/keys" --out "$pods/made" --set table:MJ_TABLE_SETTING=claim_pause_ms=20 \
    "$pods_overlay" >"$pods/plan" || die "the overlay cannot be played"
  for file in "$pods"/made/secrets/*; do
    pod_man secret create "$(basename "$file")" "$file" >/dev/null || die "podman takes no Secret"
  done
}

# The database and the Job first, then those who wait for it, until each says that it is well, on the port of its probes.
pods_start() {
  local t name kind names health=()
  t=$(now_ms)
  for name in postgres-0 migrate-dev scoring wallet table-0 matchmaking; do
    IFS=$'\t' read -r _ kind names < <(grep -P "^$name\t" "$pods/plan") || die "the overlay has no $name"
    pod_play "$name" "$names"
    [[ $kind != Job ]] || pods_job "$name"
    [[ $kind == Job || $name == postgres-0 ]] || health+=("$(pod_address "$name"):7001")
  done
  mount --bind "$pods/hosts" /etc/hosts
  "$build_dir/bin/mj-health" --wait-ms "$start_limit_ms" "${health[@]}" >&2 || {
    for name in scoring wallet table-0 matchmaking; do pod_tell "$name"; done
    die "not every pod became healthy"
  }
  # What is no field of podman is left out in silence; these two had better not be.
  for name in scoring wallet table-0 matchmaking postgres-0; do
    kind=$(pod_man inspect -f '{{.HostConfig.ReadonlyRootfs}} {{.Config.User}}' "$name-main")
    [[ $kind == 'true 65532'* ]] || die "$name: root is read only, user: $kind"
  done
  note "ready in $(($(now_ms) - t)) ms"
}

# pod_play NAME NAMES: starts a pod, which others find by NAMES (with commas), as does this machine by /etc/hosts.
pod_play() {
  local network=mahjong
  [[ -z $2 ]] || network+=:alias=${2//,/,alias=}
  say "pod $1"
  pod_man kube play --network "$network" "$pods/made/pods/$1" >"$pods/log" 2>&1 || {
    cat "$pods/log" >&2
    pod_tell "$1"
    die "$1 does not run"
  }
  [[ -z $2 ]] || printf '%s %s\n' "$(pod_address "$1")" "${2//,/ }" >>"$pods/hosts"
}

pod_address() {
  pod_man inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' \
    "$(pod_man pod inspect -f '{{.InfraContainerID}}' "$1")"
}

# pod_tell NAME: the end of what its containers have said.
pod_tell() {
  local container
  for container in $(pod_man ps -a --filter "pod=$1" --format '{{.Names}}' 2>/dev/null | grep -v -- '-infra$'); do
    complain "$container; the end of what it said:"
    pod_man logs --tail 20 "$container" >&2 2>&1
  done
}

pods_job() {
  local status
  status=$(pod_man wait "$1-main") || die "$1 does not end"
  [[ $status == 0 ]] || { pod_tell "$1"; die "$1 has failed"; }
}

# As `./dev demo --attach --secure` does, by the names that others in the cluster use.
pods_demo() {
  local password
  password=$(sed -n "s/.*ROLE wallet_auditor .*PASSWORD '\(.*\)';/\1/p" "$root/$pods_overlay/secrets/logins.sql")
  say "playing"
  PGPASSWORD=$password play_and_exit "$build_dir/bin/mj-demo" --scoring-address scoring:7000 --wallet-address wallet:7000 \
    --table-address tables:7000 --matchmaking-address matchmaking:7000 \
    --database "postgresql://wallet_auditor@postgres:5432/mahjong?sslmode=disable" \
    --ca "$pods/keys/ca.pem" --signing-key "$pods/keys/signing.json" "$@"
}
