#!/usr/bin/env bash
# Makes a new Debian system with only make, git and ca-certificates in it, clones HEAD into it and runs
# the README's two commands there: `make demo`, then `make test`. Needs root and mmdebstrap.
#
#   tools/fresh_machine.sh [SUITE...]     default: bookworm trixie
#
#   FRESH_COMMANDS="demo test"   the make targets to run
#   FRESH_FOLDER=/var/tmp/...    where the systems are made (several GB each); default: under $TMPDIR
#   FRESH_KEEP=1                 leave them there
#
# Package sources, proxies, certificates and the settings of apt, pip and Maven are this machine's own,
# read when the script runs; this file names none.
set -u
cd "$(dirname "$0")/.."
repository=$PWD
if [ $# -eq 0 ]; then set -- bookworm trixie; fi

if [ "$(id -u)" -ne 0 ] || ! command -v mmdebstrap >/dev/null; then
  echo "fresh_machine.sh needs root and mmdebstrap (apt-get install mmdebstrap)."
  exit 1
fi
base=${FRESH_FOLDER:-$(mktemp -d -t colonnade-fresh.XXXXXX)}
logs=$repository/build/logs
mkdir -p "$base" "$logs"

host_suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")

# This machine's sources that follow its own suite (suite, suite-updates, suite-security), for another suite.
sources_for() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v host="$host_suite" -v suite="$1" '
      $2 == host || index($2, host "-") == 1 { sub("^" host, suite, $2); print "deb", $1, $2, $3 }' | sort -u
}

# How apt reaches its sources here: proxies, certificates, checks. Not where it keeps files.
apt_settings() {
  apt-config dump Acquire --format '%F "%v";%n' |
    grep -Ev '^Acquire(::(IndexTargets|Languages|Changelogs|GzipIndexes|CompressionTypes).*)? '
}

# Copies a file or folder of this machine to the same place in the new system.
copy_into() {  # system, path
  if [ -e "$2" ] && [ ! -e "$1$2" ]; then
    mkdir -p "$1$(dirname "$2")"
    cp -rL "$2" "$1$2"
  fi
}

# The variables that say how the network is reached from here, as `export` lines; the files and folders
# that they and pip's own settings name are copied.
carry_settings() {  # system
  local system=$1 name value word
  if compgen -G '/usr/local/share/ca-certificates/*.crt' >/dev/null; then
    mkdir -p "$system/usr/local/share/ca-certificates"
    cp -L /usr/local/share/ca-certificates/*.crt "$system/usr/local/share/ca-certificates/"
    chroot "$system" update-ca-certificates >/dev/null
  fi
  for value in /etc/pip.conf "$HOME/.pip/pip.conf" "$HOME/.config/pip/pip.conf" "$HOME/.m2/settings.xml"; do
    if [ -f "$value" ]; then
      mkdir -p "$system$(dirname "${value/#$HOME//root}")"
      cp -L "$value" "$system${value/#$HOME//root}"
    fi
  done
  if python3 -m pip --version >/dev/null 2>&1; then
    python3 -m pip config list 2>/dev/null | sed -n "s/^[^=]*='\(.*\)'$/\1/p" | tr ' ' '\n'
  fi | while read -r word; do
    case ${word#file://} in /*) copy_into "$system" "${word#file://}" ;; esac
  done
  : >"$system/root/settings.sh"
  while IFS= read -r name; do
    value=${!name}
    for word in $value; do
      case ${word#file://} in /*) copy_into "$system" "${word#file://}" ;; esac
    done
    printf 'export %s=%q\n' "$name" "$value" >>"$system/root/settings.sh"
  done < <(compgen -e | grep -iE '^(pip_.*|maven_.*|mvnw_.*|(https?|ftp|all|no)_proxy|ssl_cert_(file|dir)|requests_ca_bundle|curl_ca_bundle|git_ssl_cainfo)$')
}

try() {  # suite
  local suite=$1 system=$base/$1 log=$logs/fresh-$1.log start command status=0
  local sources
  sources=$(sources_for "$suite")
  if [ -z "$sources" ]; then
    echo "$suite: this machine has no Debian package sources to take it from"
    return 1
  fi
  rm -rf --one-file-system "$system"
  printf '%-34s ' "$suite: new system"
  start=$SECONDS
  apt_settings >"$base/apt-settings"
  if ! printf '%s\n' "$sources" | mmdebstrap --mode=root --variant=apt --format=directory \
    --aptopt="$base/apt-settings" --include=make,git,ca-certificates \
    "$suite" "$system" - >"$log" 2>&1; then
    echo "FAILED"
    tail -n 20 "$log"
    return 1
  fi
  echo "ok ($((SECONDS - start)) s)"
  carry_settings "$system"
  cp -L /etc/resolv.conf "$system/etc/resolv.conf"
  cp -L /etc/hosts "$system/etc/hosts"
  git clone --quiet --no-hardlinks "$repository" "$system/root/colonnade"

  for command in ${FRESH_COMMANDS:-demo test}; do
    echo "$suite: make $command"
    start=$SECONDS
    # Mounts and processes of its own, so that nothing is left over when the shell ends.
    unshare --mount --pid --fork --kill-child bash -eu -c '
      mount --make-rprivate /
      mount -t proc proc "$1/proc"
      mount --rbind /sys "$1/sys"
      mount --rbind /dev "$1/dev"
      exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb chroot "$1" \
        bash -c ". /root/settings.sh && cd /root/colonnade && exec make $2"
    ' - "$system" "$command" 2>&1 </dev/null | tee -a "$log"
    if [ "${PIPESTATUS[0]}" -ne 0 ]; then
      echo "$suite: make $command FAILED ($((SECONDS - start)) s)"
      status=1
    else
      echo "$suite: make $command ok ($((SECONDS - start)) s)"
    fi
  done
  if [ -z "${FRESH_KEEP:-}" ]; then rm -rf --one-file-system "$system"; fi
  return $status
}

status=0
for suite in "$@"; do
  try "$suite" || status=1
done
if [ -z "${FRESH_KEEP:-}" ] && [ -z "${FRESH_FOLDER:-}" ]; then rm -rf --one-file-system "$base"; fi
exit $status
