#!/bin/sh
# The project on a GPU, by one command on a machine with Python 3.12, JAX and its CUDA build: `python -m tools.gpu`
# says what it does. What that Python lacks comes from the wheels in $WHEELS (default: wheels/, which `make wheels`
# fills), without a network. Nothing that is there is replaced.
set -eu
cd "$(dirname "$0")/.."
wheels=${WHEELS:-wheels} site=out/gpu-site
export PYTHONPATH=".path:.${PYTHONPATH:+:$PYTHONPATH}:$site"
missing=$(python3 -m tools.gpu.wheels missing "$wheels")
if [ -n "$missing" ]; then
  # shellcheck disable=SC2086 # a wheel's path has no spaces
  python3 -m pip install -q --no-index --no-deps --no-compile --no-cache-dir --target "$site" $missing
fi
exec python3 -m tools.gpu "$@"
