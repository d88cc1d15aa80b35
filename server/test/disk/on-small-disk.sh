#!/usr/bin/env bash
# Runs a command where COUNTERFOIL_SMALL_DISK is a folder on a disk of 512 MB of its own, which it may fill. Nobody
# outside sees the disk, and it is gone afterwards. Needs root, and fails where no disk can be mounted.
set -euo pipefail

if [ "${1:-}" != inside ]; then
  exec unshare --mount --propagation private -- "$0" inside "$@" || {
    echo 'No disk can be mounted here.' >&2
    exit 1
  }
fi
shift

export COUNTERFOIL_SMALL_DISK=/mnt
mount -t tmpfs -o size=512m,mode=0755 tmpfs "$COUNTERFOIL_SMALL_DISK"
# The servers are our own: another machine's disk cannot be filled from here.
unset DATABASE_URL
exec "$@"
