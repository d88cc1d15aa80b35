#!/usr/bin/env bash
# Runs a command where the only network is a loopback that holds public, private and metadata addresses, and
# where names are looked up at 127.0.0.53: what a guard lets through meets a canary there, and no packet leaves
# the machine. Needs root and namespaces, and fails without them.
set -euo pipefail

if [ "${1:-}" != inside ]; then
  command -v unshare >/dev/null && command -v ip >/dev/null || {
    echo 'The tests of the address guard need unshare (util-linux) and ip (iproute2).' >&2
    exit 1
  }
  exec unshare --net --mount --propagation private -- "$0" inside "$@" || {
    echo 'No network namespace can be made here.' >&2
    exit 1
  }
fi
shift

ip link set lo up
for address in 10.1.2.3 100.64.0.1 169.254.169.254 168.63.129.16 192.168.0.10 93.184.216.34 8.8.4.4; do
  ip address add "$address/32" dev lo
done
for address in fd00:ec2::254 2606:4700:4700::1111; do ip address add "$address/128" dev lo nodad; done

resolv=$(mktemp)
echo 'nameserver 127.0.0.53' >"$resolv"
chmod 644 "$resolv"
mount --bind "$resolv" "$(readlink -f /etc/resolv.conf)"
rm -f "$resolv"

# The store is the embedded one: another machine's can not be reached from here.
unset DATABASE_URL
export COUNTERFOIL_NAMESPACE=1
exec "$@"
