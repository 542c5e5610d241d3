#!/bin/sh
# Tries the ways in of the README, each in a clean environment: `make ways-in`, by hand, as it takes a network and
# 10 to 20 minutes. `sh tests/ops/ways_in.sh pipx uv debian` are all of them; SUITES="bookworm trixie" are the systems.
#   pipx, uv  the wheel of dist/, with an empty home: `stammtisch play` opens a night
#   debian    the package of dist/ in a bare system by debootstrap, as root: installed without a network, the service's
#             commands, a newer one over it while it plays, removed, purged
# No systemd runs in there: what the unit starts is started by hand, as its user.
set -eu

cd "$(dirname "$0")/../.."
ROOT=$PWD
PYTHON=${PYTHON:-python3}
SUITES=${SUITES:-bookworm trixie}
# Bare systems stay there for the next run.
SYSTEMS=${SYSTEMS:-$ROOT/var/systems}
scratch=$(mktemp -d)
house=
mounted=

say() { printf '== %s\n' "$*"; }
fail() { say "FAILED: $*" && exit 1; }
stop() {
  if [ -n "$house" ]; then kill "$house" 2>/dev/null && wait "$house" || true; fi
  house=
}
tidy() {
  stop
  if [ -n "$mounted" ]; then umount "$mounted/proc" || true; fi
  rm -rf "$scratch"
}
trap tidy EXIT
trap 'exit 1' INT TERM

free_port() {
  "$PYTHON" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# answers PORT LOG: wait for the house; its front page is a page, and it says its version.
answers() {
  "$PYTHON" - "$1" "$house" <<'PY' || { cat "$2"; fail "no answer"; }
import json, os, sys, time, urllib.request
port, pid = map(int, sys.argv[1:])
for _ in range(600):
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=20)
        break
    except OSError:
        os.kill(pid, 0)
        time.sleep(0.5)
page = urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=20).read().decode()
assert "<h1" in page, page[:300]
told = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=20))
print("   the house answers:", told.get("version", told))
PY
}

# with_tool NAME INSTALL…: the wheel by a tool, in a home without anything.
with_tool() {
  name=$1 && shift
  say "$name: the wheel into an empty home"
  mkdir -p "$scratch/$name/home"
  "$PYTHON" -m venv "$scratch/$name/tool"
  "$scratch/$name/tool/bin/pip" install -q --disable-pip-version-check "$name"
  export HOME="$scratch/$name/home"
  export XDG_BIN_HOME="$HOME/.local/bin" XDG_DATA_HOME="$HOME/.local/share" UV_CACHE_DIR="$HOME/cache"
  (cd dist && "$scratch/$name/tool/bin/$@") >"$scratch/$name/install" 2>&1 ||
    { cat "$scratch/$name/install"; fail "$name"; }
  port=$(free_port)
  "$HOME/.local/bin/stammtisch" play --port "$port" >"$scratch/$name/log" 2>&1 &
  house=$!
  answers "$port" "$scratch/$name/log"
  grep 'room code' "$scratch/$name/log" || fail "$name: no night is open"
  stop
  grep 'Everything that was played is kept' "$scratch/$name/log" || fail "$name: not closed in good order"
}

# inside COMMAND…: in the bare system, and where the kernel allows it without any network.
inside() { chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
without_network() {
  if unshare -n true 2>/dev/null; then
    unshare -n chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
  else
    inside http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 "$@"
  fi
}

# serve: what the unit starts, by the command that is its user's.
serve() {
  unit=$system/usr/lib/systemd/system/stammtisch.service
  for each in $(sed -n 's/^ExecStartPre=[^ ]* //p' "$unit"); do inside stammtisch "$each"; done
  port=$(free_port)
  printf 'PORT=%s\nHOST="127.0.0.1"\n' "$port" >"$system/etc/stammtisch.env"
  chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin stammtisch \
    "$(sed -n 's/^ExecStart=[^ ]* //p' "$unit")" >"$scratch/log" 2>&1 &
  house=$!
  answers "$port" "$scratch/log"
  inside sh -c 'test "$(stat -c %U:%a /var/lib/stammtisch)" = stammtisch:700' || fail "the data are others'"
}

nights() { inside stammtisch shell -v 0 -c 'from games.models import Night; print(Night.objects.count())'; }

# newer PACKAGE VERSION: the package with a wheel of a later version, as a release would bring it.
newer() {
  say "A newer package: $2"
  dpkg-deb -R "$1" "$scratch/newer"
  STAMMTISCH_VERSION=$2 "$PYTHON" -m pip wheel -q --disable-pip-version-check --no-deps -w "$scratch/wheel" "$ROOT"
  rm "$scratch"/newer/usr/lib/stammtisch/wheels/stammtisch-*.whl
  cp "$scratch"/wheel/stammtisch-*.whl "$scratch/newer/usr/lib/stammtisch/wheels/"
  sed -i "s/^RELEASE=.*/RELEASE=$2/" "$scratch/newer/DEBIAN/postinst"
  sed -i "s/^Version:.*/Version: $2/" "$scratch/newer/DEBIAN/control"
  dpkg-deb -Znone --build "$scratch/newer" "$scratch/newer.deb" >/dev/null
}

debian() {
  package=$(ls dist/stammtisch_*_"$(dpkg --print-architecture)".deb)
  newer "$package" 99.0.0
  for suite in $SUITES; do
    system=$SYSTEMS/$suite
    say "$suite: a bare system"
    if ! [ -e "$system/etc/debian_version" ]; then
      mkdir -p "$SYSTEMS"
      debootstrap --variant=minbase --include=python3-venv,adduser "$suite" "$system" >"$scratch/debootstrap" ||
        { tail "$scratch/debootstrap"; fail "debootstrap"; }
    fi
    mount -t proc proc "$system/proc" && mounted=$system
    # What an earlier run has left.
    inside dpkg --purge stammtisch >/dev/null 2>&1 || true
    rm -rf "$system/var/lib/stammtisch" "$system/etc/stammtisch.env"
    cp "$package" "$system/tmp/first.deb"
    cp "$scratch/newer.deb" "$system/tmp/newer.deb"

    say "$suite: installed without a network, by $(inside python3 --version)"
    without_network dpkg -i /tmp/first.deb >"$scratch/installed" 2>&1 || { cat "$scratch/installed"; fail "install"; }
    grep -E 'password "|is open:' "$scratch/installed" || fail "nobody is told how to get in"
    inside stammtisch demo
    serve
    before=$(nights)

    say "$suite: a newer one while the house is open"
    without_network dpkg -i /tmp/newer.deb >"$scratch/upgraded" 2>&1 || { cat "$scratch/upgraded"; fail "upgrade"; }
    if grep 'password "' "$scratch/upgraded"; then fail "an upgrade makes no account"; fi
    answers "$port" "$scratch/log"
    stop
    serve
    [ "$(nights)" = "$before" ] || fail "nights were lost"
    [ "$(inside stammtisch --version)" = 99.0.0 ] || fail "the version is the old one"
    stop

    say "$suite: a new Python of the system"
    inside sh -c 'mv /usr/lib/stammtisch/env/lib/python3.* /usr/lib/stammtisch/env/lib/python3.1'
    without_network sh -c 'dpkg-trigger --by-package=stammtisch /usr/bin/python3 && dpkg --configure --pending' ||
      fail "the trigger"
    [ "$(inside stammtisch --version)" = 99.0.0 ] || fail "no environment for a new Python"

    say "$suite: removed, purged"
    inside dpkg --remove stammtisch >/dev/null 2>&1 || fail "remove"
    if [ -e "$system/usr/lib/stammtisch" ]; then fail "the environment was left"; fi
    inside dpkg --purge stammtisch || fail "purge"
    inside sh -c 'ls /var/lib/stammtisch/*.sqlite3' || fail "the data are gone"
    umount "$system/proc" && mounted=
  done
}

wheel=./$(basename "$(ls dist/stammtisch-*.whl)")
[ $# -gt 0 ] || set -- pipx uv debian
for way in "$@"; do
  case $way in
  pipx) with_tool pipx pipx install --pip-args "-c constraints.txt" "$wheel" ;;
  uv) with_tool uv uv tool install --constraints constraints.txt "$wheel" ;;
  debian) debian ;;
  *) fail "pipx, uv or debian, not $way" ;;
  esac
done
say "All ways lead in."
