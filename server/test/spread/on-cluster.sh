#!/usr/bin/env bash
# Runs a command where TEST_CLUSTER names a cluster of PostgreSQL servers with the extension citus: url,url,url, the first of
# them its coordinator, each of a role that may create databases. Without it nothing is tried, and nothing is counted.
set -euo pipefail

if [ -z "${TEST_CLUSTER:-}" ]; then
  echo 'The tests of a spread store did not run: TEST_CLUSTER=url,url,url names no cluster.'
  exit 0
fi
export DATABASE_URL=${TEST_CLUSTER%%,*}
exec "$@"
