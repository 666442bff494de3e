#!/usr/bin/env bash
# Runs a command in a fresh copy of the committed tree on a bare Debian: in a root folder that holds
# the base system and nothing else (docs/design/bare-machines.md).
#
#   tools/bare_machine.sh CODENAME USER COMMAND [ARGUMENT...]
#
# USER is root or the name of an ordinary user, who is made and may use sudo. What the command left
# in build/logs is afterwards in build/logs/CODENAME. Needs root, debootstrap, git and ccache.
set -euo pipefail

readonly tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly kept=${XDG_CACHE_HOME:-$HOME/.cache}/tasuki/machines
readonly codename=${1:?codename of a Debian} user=${2:?user} command=("${@:3}")
readonly base=$kept/$codename/base root=$kept/$codename/root
readonly bundle=/etc/ssl/certs/ca-certificates.crt

fail() { printf 'bare_machine: %s\n' "$*" >&2; exit 1; }

# A root in which something of this machine is mounted must not be removed: its files would be.
remove() {
  ! grep -qF " $1/" /proc/self/mountinfo || fail "something is mounted in $1; unmount it first"
  rm -rf --one-file-system "$1"
}

# Prints a line URI SUITE COMPONENT for each source of this machine's Debian.
debian_sources() {
  local host
  host=$(. /etc/os-release && echo "$VERSION_CODENAME")
  apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' |
    awk -v host="$host" -v wanted="$codename" '
      $1 == "Debian" && $3 ~ "^" host "(-updates|-security)?$" {
        sub(host, wanted, $3); print $2, $3, $4 }'
}

make_base() {
  [[ ! -d $base ]] || return 0
  local archive
  archive=$(debian_sources | awk -v suite="$codename" '$2 == suite {print $1; exit}')
  [[ -n $archive ]] || fail "apt knows no archive of Debian here; run apt-get update, and see" \
    "whether /etc/apt names one for $(. /etc/os-release && echo "$PRETTY_NAME")"
  echo "Making a minimal Debian $codename in $base"
  remove "$base.part"
  mkdir -p "$base.part"
  debootstrap --variant=minbase --include=sudo "$codename" "$base.part" "$archive" \
    >"$kept/$codename/debootstrap.log" || fail "debootstrap: see $kept/$codename/debootstrap.log"
  mv "$base.part" "$base"
}

# Takes a file or folder of this machine, if it is there, to the same place in the root.
carry() {
  local from
  for from in "$@"; do
    [[ -e $from ]] || continue
    mkdir -p "$root$(dirname "$from")"
    cp -RLT "$from" "$root$from"
  done
}

# How this machine reaches archives and package indexes; nothing of what it has installed.
carry_settings() {
  carry /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/apt/auth.conf /etc/apt/auth.conf.d \
    "$bundle" /usr/local/share/ca-certificates
  {
    apt-config dump Acquire | grep -v '^Acquire::IndexTargets'
    echo 'Dir::Cache::archives "/var/cache/packages";'
    echo 'APT::Sandbox::User "root";'
  } >"$root/etc/apt/apt.conf.d/90carried"
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/carried"
  rm -f "$root/etc/apt/sources.list"
  debian_sources | while read -r uri suite component; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
      "$uri $suite $component"
  done >"$root/etc/apt/sources.list.d/carried.list"
}

# mount_folder FROM AT: the folder FROM of this machine, made if absent, is AT in the root.
mount_folder() {
  mkdir -p "$1" "$root$2"
  mount --bind "$1" "$root$2"
}

mount_system() {
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  local device
  for device in null zero full random urandom tty; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
  done
  mkdir "$root"/dev/{pts,shm}
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$root/dev/pts"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  ln -s /proc/self/fd/0 "$root/dev/stdin"
  ln -s /proc/self/fd/1 "$root/dev/stdout"
  ln -s /proc/self/fd/2 "$root/dev/stderr"
}

# What was downloaded or compiled once is kept: packages, wheels, objects, verdicts of clang-tidy.
# Root shares this machine's objects. An ordinary user could not write there and has others.
mount_kept() {
  mount_folder "$kept/$codename/packages" /var/cache/packages
  mount_folder "$kept/$codename/cache" "$home/.cache"
  ((owner)) || mount_folder "$(ccache --get-config cache_dir)" "$home/.cache/ccache"
  mount_folder "${kept%/*}/tidy" "$home/.cache/tasuki/tidy"
  chmod 1777 "${kept%/*}/tidy"
  local folder
  for folder in ${PIP_FIND_LINKS:-}; do
    [[ ! -d $folder ]] || mount_folder "$folder" "$folder"
  done
}

# Makes this process's root what is in `root`. Not by chroot, in which the kernel refuses user
# namespaces, which tests make.
enter_root() {
  mount --bind "$root" "$root"
  mount_system
  mount_kept
  cd "$root"
  pivot_root . mnt
  umount --lazy /mnt
}

# What of this process's environment goes with the command, as NAME=VALUE.
carried_environment() {
  local certificates='(SSL_CERT|CURL_CA|REQUESTS_CA)_(FILE|BUNDLE)'
  env | grep -E "^(CI|PIP_.*|.*_(proxy|PROXY)|$certificates)=" || true
  echo "CCACHE_MAXSIZE=$(ccache --get-config max_size)"
}

# Runs as process 1 of its own namespaces, so that whatever it mounts and starts ends with it.
inside() {
  remove "$root"
  cp -a "$base" "$root"
  carry_settings
  if [[ $user != root ]]; then
    chroot "$root" useradd --create-home --shell /bin/bash "$user"
    echo "$user ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/$user"
  fi
  local home owner settings
  home=$(chroot "$root" bash -c "echo ~$user")
  owner=$(chroot "$root" id -u "$user")
  local file
  for file in .config/pip/pip.conf .pip/pip.conf; do
    [[ ! -e $HOME/$file ]] || install -D "$HOME/$file" "$root$home/$file"
  done
  mkdir "$root$home/tasuki"
  git -C "$tree" archive HEAD | tar -x -C "$root$home/tasuki"
  mkdir -p "$kept/$codename/cache"
  chown -R "$owner:$owner" "$root$home" "$kept/$codename/cache"
  mapfile -t settings < <(carried_environment)
  enter_root
  chown "$owner:$owner" "$home"/.cache{,/*}
  cd "$home/tasuki"
  # Not exec: who changes the user is no longer killed with its parent.
  setpriv --reuid "$owner" --regid "$owner" --init-groups env -i "${settings[@]}" \
    HOME="$home" USER="$user" LOGNAME="$user" SHELL=/bin/bash \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    "${command[@]}" </dev/null
}

keep_logs() {
  local left
  for left in "$root"/{root,home/"$user"}/tasuki/build/logs; do
    [[ -d $left ]] || continue
    mkdir -p "$tree/build/logs/$codename"
    cp -R "$left/." "$tree/build/logs/$codename"
  done
}

outside() {
  ((EUID == 0)) || fail "needs root, to make a root of its own"
  ((${#command[@]})) || fail "which command?"
  mkdir -p "$kept/$codename"
  exec {lock}>"$kept/$codename/lock"
  flock --nonblock "$lock" || fail "$kept/$codename is in use by another run"
  make_base
  local status=0
  # All ends if this process does: unshare by itself would not heed SIGTERM.
  BARE_MACHINE_INSIDE=1 setpriv --pdeathsig KILL unshare --mount --pid --ipc --fork --kill-child \
    "${BASH_SOURCE[0]}" "$codename" "$user" "${command[@]}" || status=$?
  keep_logs
  # A root that failed stays, to be looked at, until the next run.
  ((status)) || remove "$root"
  return "$status"
}

if [[ -n ${BARE_MACHINE_INSIDE:-} ]]; then inside; else outside; fi
