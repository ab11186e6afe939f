# Sourced by scripts/start and scripts/test: makes .venv and installs storyheat into it, once.
# Needs `root`, the project's folder. A stamp in .venv names what was installed from which files, so that
# nothing is installed again until one of them changes.

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$(basename "$0"): $*"
    exit 1
}

# Prints the first Python here that is new enough.
find_python() {
    local candidate
    for candidate in "${PYTHON:-python3}" python3 python3.14 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    return 1
}

# Makes .venv unless a working one is there.
make_venv() {
    "$root/.venv/bin/python" -c 'import pip' >/dev/null 2>&1 && return
    local python
    python=$(find_python) || die "needs Python 3.11 or newer; install one, or name it: PYTHON=/path/to/python $0"
    say "Making .venv with $("$python" --version)"
    "$python" -m venv --clear "$root/.venv" >&2 ||
        die "\"$python -m venv\" failed; on Debian and Ubuntu install the package python3-venv, then try again"
}

# What decides whether an installation is still good: where it is, what it was asked for, and the files it read.
fingerprint() {
    printf '%s\n' "$root" "$*"
    cat "$root/pyproject.toml" "$root/constraints.txt" "$root/src/storyheat/__init__.py"
    "$root/.venv/bin/python" --version
}

# install_once EXTRAS: installs the package with these extras (comma separated, may be empty).
install_once() {
    local stamp="$root/.venv/.storyheat-${1:-core}" wanted
    wanted=$(fingerprint "$1" | cksum)
    [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return
    say "Installing storyheat${1:+ with $1} (the first time takes a minute or two)"
    (cd "$root" && .venv/bin/python -m pip install -qq --disable-pip-version-check \
        --constraint constraints.txt --editable ".${1:+[$1]}") >&2 || return 1
    printf '%s\n' "$wanted" >"$stamp"
}

# install NEEDED OPTIONAL…: one extra that must be (or ""), and those that may be missing, each said.
# Sets `missing` to the extras that could not be installed.
install() {
    local needed=$1 extra together
    shift
    missing=""
    make_venv
    together=$(IFS=,; printf '%s' "${needed:+$needed,}$*")
    install_once "$together" && return
    say "Not everything could be installed; trying one by one"
    install_once "$needed" || die "installing failed; the lines above say why"
    for extra in "$@"; do
        install_once "$extra" || {
            say "Going on without the extra \"$extra\""
            missing="$missing $extra"
        }
    done
}

# Sets up under a lock, so that two scripts started together do not install over each other.
install_locked() {
    exec 9<"$root/pyproject.toml"
    if command -v flock >/dev/null 2>&1; then flock 9; fi
    install "$@"
    exec 9<&-
}
