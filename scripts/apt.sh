# Shared by the scripts that install what tests need: sourced, not run.
say() { echo "$@" >&2; }

can_apt() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

apt_install() {
    say "Installing $* with apt-get …"
    log=$(mktemp)
    if apt-get -qq update >"$log" 2>&1 &&
        DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >>"$log" 2>&1; then
        rm -f "$log"
        return 0
    fi
    tail -n 5 "$log" >&2
    rm -f "$log"
    return 1
}
