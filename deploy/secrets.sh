#!/bin/sh
# Makes what the profile `large` of compose.yaml keeps secret, in secrets/; what is there already stays.
set -eu

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

# The containers' users are others: the folder keeps people out, and its files let the containers read.
mkdir -p secrets
chmod 700 secrets
[ -s secrets/secret_key ] || random >secrets/secret_key
[ -s secrets/database_password ] || random >secrets/database_password
[ -s secrets/database_url ] ||
  printf 'postgres://stammtisch:%s@database/stammtisch' "$(cat secrets/database_password)" >secrets/database_url
chmod 644 secrets/secret_key secrets/database_password secrets/database_url
