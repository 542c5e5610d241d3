#!/bin/sh
# A command of the house as its user, in its data folder and with its variables: `sudo stammtisch doctor`.
set -eu

if [ "$(id -u)" != 0 ]; then
  echo "The house's data are its own user's: sudo stammtisch $*" >&2
  exit 1
fi
# As systemd reads it: a name and a value on each line, the value perhaps in quotes, and nothing is expanded.
if [ -e /etc/stammtisch.env ]; then
  while IFS= read -r line || [ -n "$line" ]; do
    name=${line%%=*}
    value=${line#*=}
    case $name in '' | *[!A-Za-z0-9_]* | [0-9]*) continue ;; esac
    case $value in
    \"*\") value=${value#\"} && value=${value%\"} ;;
    \'*\') value=${value#\'} && value=${value%\'} ;;
    esac
    export "$name=$value"
  done </etc/stammtisch.env
fi
export STAMMTISCH_DATA=/var/lib/stammtisch HOME=/var/lib/stammtisch
cd "$STAMMTISCH_DATA"
exec runuser -u stammtisch -- /usr/lib/stammtisch/env/bin/stammtisch "$@"
