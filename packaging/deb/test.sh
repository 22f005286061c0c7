#!/usr/bin/env bash
# Installs, upgrades, removes and purges the package in a clean Debian (mmdebstrap), as root.
# systemd does not run there: units are verified and enabled, the server is started by hand.
set -euo pipefail
cd "$(dirname "$0")/../.."

suite=${1:-bookworm}
port=18080
root=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf --one-file-system "$root" "$root".?.deb' EXIT

step() { printf '\n== %s\n' "$*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
in_root() { chroot "$root" "$@"; }
as_server() { chroot --userspec=guardpost:guardpost "$root" "$@"; }
gp() { as_server guardpost --config /etc/guardpost/config.toml --data /var/lib/guardpost "$@"; }
# has PATH OWNER MODE
has() {
  local found
  found=$(in_root stat -c '%U:%G %a' "$1") || fail "$1 is missing"
  [ "$found" = "$2 $3" ] || fail "$1 is $found, not $2 $3"
}
serves() {
  # Not by a function, whose process would be killed in place of the server's.
  chroot --userspec=guardpost:guardpost "$root" guardpost --config /etc/guardpost/config.toml \
    --data /var/lib/guardpost serve --listen "127.0.0.1:$port" >"$root/tmp/log" 2>&1 &
  server=$!
  for _ in $(seq 100); do
    if curl -fsS "http://127.0.0.1:$port/readyz" >/dev/null 2>&1; then
      kill "$server"
      wait "$server" || fail 'the server did not stop'
      server=
      return
    fi
    sleep 0.2
  done
  cat "$root/tmp/log" >&2
  fail 'the server does not serve'
}

step 'two packages: the upgrade has a higher version'
first=$root.1.deb second=$root.2.deb
bash packaging/deb/build.sh --deb-revision 1 --output "$first" >/dev/null
bash packaging/deb/build.sh --deb-revision 2 --output "$second" >/dev/null
du -h "$first"

step "a clean Debian $suite"
mmdebstrap --quiet --variant=minbase --include=systemd "$suite" "$root"
cp /etc/resolv.conf "$root/etc/"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
install -m 644 "$first" "$root/tmp/first.deb"
install -m 644 "$second" "$root/tmp/second.deb"

step install
in_root apt-get update -q
in_root apt-get install -y -q --no-install-recommends /tmp/first.deb
for file in guardpost.service guardpost.socket; do has "/usr/lib/systemd/system/$file" root:root 644; done
has /usr/bin/guardpost root:root 755
has /etc/guardpost/config.toml root:root 644
has /etc/guardpost/secrets.env root:root 600
has /etc/logrotate.d/guardpost root:root 644
has /var/lib/guardpost guardpost:guardpost 700
has /var/backups/guardpost guardpost:guardpost 700
for file in man/man1/guardpost.1.gz man/man1/guardpost-check.1.gz bash-completion/completions/guardpost \
  zsh/vendor-completions/_guardpost fish/vendor_completions.d/guardpost.fish doc/guardpost/copyright \
  doc/guardpost/THIRD_PARTY_NOTICES.txt doc/guardpost/sbom-server.cdx.json; do
  has "/usr/share/$file" root:root 644
done
in_root systemctl is-enabled guardpost && fail 'it is enabled before its settings were written' || true
in_root systemd-analyze verify --man=no guardpost.service guardpost.socket
in_root systemctl enable guardpost
in_root systemd-analyze security --offline=true guardpost.service | tail -1

step 'check, an account, serve'
gp check
echo 'a-lantern-at-the-north-gate' | gp create-admin --email ada@guard.example --password-stdin
serves
has /var/lib/guardpost/guardpost.db guardpost:guardpost 600
gp backup --to /var/backups/guardpost

step 'upgrade with changed settings'
echo '# changed' >>"$root/etc/guardpost/config.toml"
in_root apt-get install -y -q --no-install-recommends /tmp/second.deb
[ "$(in_root dpkg-query -W -f '${Version}' guardpost)" = "$(dpkg-deb -f "$second" Version)" ] || fail version
grep -q '# changed' "$root/etc/guardpost/config.toml" || fail 'the settings were replaced'
in_root systemctl is-enabled guardpost >/dev/null || fail 'the unit is no longer enabled'
gp list-users | grep -q ada@guard.example || fail 'the account is gone'
serves

step 'remove and purge'
in_root apt-get remove -y -q guardpost
[ -e "$root/etc/guardpost/config.toml" ] || fail 'a removal took the settings'
[ -e "$root/usr/bin/guardpost" ] && fail 'the program stays'
in_root apt-get purge -y -q guardpost
[ -e "$root/etc/guardpost" ] && fail 'a purge left settings'
has /var/lib/guardpost/guardpost.db guardpost:guardpost 600
in_root dpkg --audit
step 'all of it holds'
