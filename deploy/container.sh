#!/bin/sh
# What the container does, step by step; a test runs the same steps in a bare folder.
#   build   the wheel and all that it needs, into $TARGET
#   run     prepare the house and serve it
#   health  succeed when the house answers
set -eu

TARGET=${TARGET:-/srv/stammtisch}
# Further options of pip, such as where to find packages without a network.
PIP_OPTIONS=${PIP_OPTIONS:-}

case ${1:-run} in
build)
  python3 -m venv "$TARGET"
  # shellcheck disable=SC2086  # the options are words
  "$TARGET/bin/python" -m pip install -q --no-cache-dir $PIP_OPTIONS -c constraints.txt '.[scaled]'
  ;;
run)
  stammtisch prepare
  stammtisch admin
  exec stammtisch serve
  ;;
health)
  exec python3 -c 'import os, urllib.request as u; u.urlopen("http://127.0.0.1:%s/healthz" % os.environ.get("PORT", 8000))'
  ;;
*)
  echo "container.sh build, run or health" >&2
  exit 2
  ;;
esac
