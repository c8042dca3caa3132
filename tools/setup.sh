#!/bin/sh
# Makes .venv with turnmark in it. Usage: tools/setup.sh core|dev
set -eu
want=${1:-core}
cd "$(dirname "$0")/.."
stamp=".venv/.$want"
[ -f "$stamp" ] && [ "$stamp" -nt pyproject.toml ] && exit 0

python=""
for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python; do
    if command -v "$candidate" >/dev/null 2>&1 &&
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
        python=$(command -v "$candidate")
        break
    fi
done
if [ -z "$python" ]; then
    echo "turnmark needs Python 3.11 or newer; none was found on PATH (set PYTHON=/path/to/python3)" >&2
    exit 2
fi

if [ ! -x .venv/bin/python ]; then
    if ! "$python" -m venv .venv 2>.venv.log; then
        # Debian and Ubuntu ship the venv module as a package of its own.
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
            apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null
            rm -rf .venv
            "$python" -m venv .venv
        else
            cat .venv.log >&2
            echo "install the venv module (Debian, Ubuntu: apt-get install python3-venv), then run make again" >&2
            exit 2
        fi
    fi
    rm -f .venv.log
fi

case $want in
core) target=. ;;
dev) target='.[dev]' ;;
*) echo "usage: tools/setup.sh core|dev" >&2; exit 2 ;;
esac
echo "setting up .venv ($want) ..."
.venv/bin/python -m pip install --quiet --disable-pip-version-check --editable "$target"
touch "$stamp"
