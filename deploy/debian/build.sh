#!/bin/sh
# Builds the package for Debian, Ubuntu and Raspberry Pi OS from the wheel in dist/: `make deb`.
# It brings the wheels of all that the house needs, for each Python of PYTHONS; with them the package makes its
# environment where it is installed, without a network. One file for each of ARCHITECTURES, in dist/.
set -eu

cd "$(dirname "$0")/../.."
PYTHON=${PYTHON:-python3}
PYTHONS=${PYTHONS:-3.11 3.12 3.13}
ARCHITECTURES=${ARCHITECTURES:-amd64 arm64}
# The glibc of the oldest system, Debian 12; wheels for an older one fit, too.
GLIBC=36
first=${PYTHONS%% *}
last=${PYTHONS##* }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

wheel=$(ls dist/stammtisch-*.whl)
release=$(basename "$wheel" | cut -d - -f 2)
# A tilde sorts before the release to come, as `.dev` does for pip.
version=$(echo "$release" | sed 's/\.dev/~dev/')
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(date +%s)}"

# uv tells which wheels another system and Python need; pip fetches them.
"$PYTHON" -m venv "$scratch/tool"
tool=$("$PYTHON" -c 'from tests.wheels import TOOL; print(TOOL)')
"$scratch/tool/bin/pip" install -q --disable-pip-version-check "$tool"

fetch() { # fetch MACHINE PYTHON FOLDER
  platforms="--platform manylinux2014_$1 --platform manylinux2010_$1 --platform manylinux1_$1"
  for each in $(seq 5 $GLIBC); do platforms="$platforms --platform manylinux_2_${each}_$1"; done
  "$scratch/tool/bin/uv" pip compile -q --no-header --no-annotate --no-config --cache-dir "$scratch/cache" \
    --only-binary :all: --python-platform "$1-manylinux_2_$GLIBC" --python-version "$2" \
    --extra scaled --extra bills -c constraints.txt -o "$scratch/wanted.txt" pyproject.toml
  # shellcheck disable=SC2086  # the platforms are words
  "$scratch/tool/bin/pip" download -q --disable-pip-version-check --no-deps --only-binary=:all: \
    --implementation cp --python-version "$2" $platforms -d "$3" -r "$scratch/wanted.txt"
}

for architecture in $ARCHITECTURES; do
  case $architecture in
  amd64) machine=x86_64 ;;
  arm64) machine=aarch64 ;;
  *) echo "ARCHITECTURES: amd64, arm64, not $architecture" >&2 && exit 2 ;;
  esac
  root=$scratch/$architecture
  house=$root/usr/lib/stammtisch
  mkdir -p "$house/wheels" "$root/DEBIAN"
  for each in $PYTHONS; do
    echo "$architecture: wheels for Python $each"
    fetch $machine "$each" "$house/wheels"
  done
  cp "$wheel" constraints.txt "$house/"
  mv "$house/$(basename "$wheel")" "$house/wheels/"

  # The unit of deploy/, with the package's environment in place of /srv and a user that stays.
  mkdir -p "$root/usr/lib/systemd/system"
  sed -e '/^# For a server/d' -e '/^DynamicUser=/d' -e 's:/srv/stammtisch/bin/:/usr/lib/stammtisch/env/bin/:' \
    -e 's/^# Commands beside.*/# The package has made it./' \
    deploy/stammtisch.service >"$root/usr/lib/systemd/system/stammtisch.service"
  install -D -m 755 deploy/debian/command.sh "$root/usr/bin/stammtisch"
  install -D -m 755 deploy/debian/open.sh "$house/open"
  install -D -m 644 deploy/debian/stammtisch.desktop "$root/usr/share/applications/stammtisch.desktop"
  install -D -m 644 games/static/games/logo.svg "$root/usr/share/icons/hicolor/scalable/apps/stammtisch.svg"
  install -D -m 644 LICENSE "$root/usr/share/doc/stammtisch/copyright"
  install -D -m 644 docs/licences.md "$root/usr/share/doc/stammtisch/licences.md"
  gzip -9n <CHANGELOG.md >"$root/usr/share/doc/stammtisch/changelog.gz"

  for each in postinst prerm postrm; do install -m 755 "deploy/debian/$each" "$root/DEBIAN/$each"; done
  sed -i "s/@RELEASE@/$release/" "$root/DEBIAN/postinst"
  # Debian's next Python takes the environment's place: it is made anew.
  echo "interest-noawait /usr/bin/python3" >"$root/DEBIAN/triggers"
  sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@FIRST@/$first/" \
    -e "s/@AFTER@/3.$((${last#3.} + 1))/" -e "s/@SIZE@/$(du -sk "$root/usr" | cut -f 1)/" \
    deploy/debian/control >"$root/DEBIAN/control"
  find "$root" -type d -exec chmod 755 {} +
  find "$house/wheels" "$house/constraints.txt" -type f -exec chmod 644 {} +
  (cd "$root" && find usr -type f -exec md5sum {} + >DEBIAN/md5sums)
  # Wheels are packed already.
  dpkg-deb --root-owner-group -Zxz -z1 --build "$root" "dist/stammtisch_${version}_$architecture.deb"
done
