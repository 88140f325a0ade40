#!/bin/sh
# The project on a GPU, by one command on a machine with Python, JAX and its CUDA build: `python -m tools.gpu` says
# what it does. What that Python lacks comes from the wheels in $WHEELS (default: wheels/), without a network.
set -eu
cd "$(dirname "$0")/.."
wheels=${WHEELS:-wheels} site=out/gpu-site
if ls "$wheels"/*.whl >/dev/null 2>&1; then
  python3 -m pip install -q --no-index --no-deps --no-compile --no-cache-dir --upgrade --target "$site" "$wheels"/*.whl
fi
PYTHONPATH=.path:.:$site${PYTHONPATH:+:$PYTHONPATH} exec python3 -m tools.gpu "$@"
