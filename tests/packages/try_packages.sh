#!/usr/bin/env bash
# Installs Tasuki's Debian packages and its wheel in a system that has nothing else, uses each, and
# removes the packages: nothing of them may be left. By root, in the folder of the sources, in a
# system that nobody needs (./dev test --machines makes one).
#
#   tests/packages/try_packages.sh FOLDER
#
# FOLDER holds the packages and the wheel.
set -euo pipefail
readonly packages=("${1:?folder of the packages}"/*.deb) wheel=("$1"/*.whl)
readonly work=$(mktemp -d)
export DEBIAN_FRONTEND=noninteractive
# Open MPI asks for both, 4 and 5 by different names.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1

fail() { printf 'try_packages: %s\n' "$*" >&2; exit 1; }

# says TEXT COMMAND...: the command must succeed, and print the text.
says() {
  local expected=$1 said
  shift
  echo "+ $*"
  said=$("$@" 2>&1) || fail "$* failed: $said"
  [[ $said == *"$expected"* ]] || fail "$* says $said, and not $expected"
}

# beside_server COMMAND...: while a server runs, which TASUKI_SERVER names.
beside_server() {
  local server line process address='tasuki://[^ ]+'
  exec {server}< <(exec tasuki serve --demo --port 0)
  process=$!
  read -r -u "$server" line
  [[ $line =~ $address ]] || fail "the server says $line"
  TASUKI_SERVER=${BASH_REMATCH[0]} "$@"
  kill "$process"
  exec {server}<&-
}

# install PACKAGE...: of apt, or the name of one of ours.
install() {
  local name chosen=()
  for name in "$@"; do
    chosen+=("$(printf '%s\n' "${packages[@]}" | grep "/${name}_" || echo "$name")")
  done
  apt-get install -qq --no-install-recommends "${chosen[@]}" >"$work/apt.log" 2>&1 ||
    { cat "$work/apt.log"; fail "cannot install $*"; }
}

try_without_compiler() {
  install tasuki python3-tasuki libtasuki0
  ! command -v g++ || fail "this system has a compiler, so that it tests less"
  says "tasuki $version" tasuki --version
  says "Start a program" tasuki --help
  says "" tasuki info
  says "connect" python3 -c "import tasuki; print(tasuki.connect)"
  says "2 ranks: [3. 3. 3. 3.]" tasuki run -n 2 python3 examples/sum_over_ranks.py
  says "verified" tasuki bench npb cg --class S -n 2
  beside_server try_calling
  says "--transport" bash -c 'source /usr/share/bash-completion/completions/tasuki
    COMP_WORDS=(tasuki run --tran) COMP_CWORD=2
    _tasuki_completion tasuki
    echo "${COMPREPLY[*]}"'
  says "#compdef tasuki" cat /usr/share/zsh/vendor-completions/_tasuki
  says "source_fish" cat /usr/share/fish/vendor_completions.d/tasuki.fish
  says ".TH TASUKI" zcat /usr/share/man/man1/tasuki{,-run,-serve}.1.gz
}

try_calling() {
  says "largest residual" python3 examples/linear_equations.py "$TASUKI_SERVER"
  says "x: float64" tasuki call "$TASUKI_SERVER" linpack.solve "A=[[2,1],[1,3]]" "b=[5,10]"
}

# The libraries that it takes are there by the packages.
try_wheel() {
  install python3-venv
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check "${wheel[0]}"
  local tasuki=$work/venv/bin/tasuki python=$work/venv/bin/python
  says "$work/venv" "$python" -c "import tasuki; print(tasuki.__file__)"
  says "tasuki $version" "$tasuki" --version
  says "2 ranks: [3. 3. 3. 3.]" "$tasuki" run -n 2 "$python" examples/sum_over_ranks.py
  says "verified" "$tasuki" bench npb cg --class S -n 2
  says ".TH TASUKI" cat "$work"/venv/share/man/man1/tasuki{,-run,-serve}.1
  says "source_bash" cat "$work/venv/share/bash-completion/completions/tasuki"
}

try_mpi() {
  install "tasuki-$1"
  says "verified" tasuki bench npb cg --class S -n 2 --transport mpi --mpi "$2" --impl both
  says "MPI_Init" tasuki profile -- "mpiexec.$1" -n 2 \
    "/usr/libexec/tasuki/bin/npb_cg_mpi_$2" --class S
}

try_compiling() {
  install libtasuki-dev g++ cmake make pkg-config libucx0
  cmake -S tests/install/consumer -B "$work/consumer" -DCMAKE_BUILD_TYPE=Release >"$work/log"
  says "" cmake --build "$work/consumer"
  local way
  for way in shm "ucx --no-node-shm" "mpi --mpi ompi" "mpi --mpi mpich"; do
    # Unquoted, as it is several words.
    says "rank 3 of 4 answers 44" tasuki run -n 4 --transport $way "$work/consumer/hello"
  done
  says "" sh -c "c++ -std=c++20 examples/remote.cpp -o $work/remote \
    \$(pkg-config --cflags --libs tasuki-client)"
  beside_server says "x = 1, y = 3" "$work/remote"
  # As the guide says it.
  says "" sh -c "c++ -std=c++20 -O2 examples/first.cpp -o $work/first \
    \$(pkg-config --cflags --libs tasuki)"
  says "fib(20) = 6765" tasuki run -n 4 "$work/first"
  says "fib(20) = 6765" tasuki run -n 4 --transport mpi --mpi mpich "$work/first"
}

# As the next version would replace this one, while all packages are installed.
try_upgrade() {
  local next=$version+1 file
  mkdir "$work/next"
  for file in "${packages[@]}"; do
    dpkg-deb -R "$file" "$work/unpacked"
    sed -i "s/$version\b/$next/" "$work/unpacked/DEBIAN/control"
    dpkg-deb -Znone --build "$work/unpacked" "$work/next" >"$work/log"
    rm -r "$work/unpacked"
  done
  says "" dpkg --install "$work/next"/*.deb
  says "$next" dpkg-query -W -f '${Version} ' "${names[@]}"
  says "rank 3 of 4 answers 44" tasuki run -n 4 "$work/consumer/hello"
}

# The errors that Debian's own checker knows, with those of this release.
try_lintian() {
  install lintian
  says "" lintian --allow-root --fail-on error "${packages[@]}"
}

remove_all() {
  apt-get purge -qq "${names[@]}" >"$work/apt.log" 2>&1 ||
    { cat "$work/apt.log"; fail "cannot remove the packages"; }
  local left
  left=$(find / -xdev \( -path /proc -o -path /sys -o -path "$PWD" -o -path "$work" \
    -o -path "$HOME/.cache" \) -prune -o -iname '*tasuki*' -print)
  [[ -z $left ]] || fail "left of the packages: $left"
}

version=$(dpkg-deb -f "${packages[0]}" Version)
mapfile -t names < <(for file in "${packages[@]}"; do dpkg-deb -f "$file" Package; done)
apt-get update -qq
try_without_compiler
try_wheel
try_mpi openmpi ompi
try_mpi mpich mpich
try_compiling
try_upgrade
remove_all
try_lintian
echo "A wheel and ${#packages[@]} packages of version $version were installed and used"
