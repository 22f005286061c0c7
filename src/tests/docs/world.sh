#!/usr/bin/env bash
# Runs `$3` (a script) as a user who is not root, but may use sudo, on a simulated host: a mount
# namespace in which /etc, /var, /usr/local, /mnt and /home are layers above those of this machine,
# so that nothing of it changes. `$1` is an empty folder, `$2` the program. Needs root. systemctl and
# apt only print what they are asked for: no service manager runs here.
set -euo pipefail
folder=$1 program=$2 script=$3
if [ -z "${IN_WORLD:-}" ]; then
  unshare --mount true || { echo WORLD IS MISSING >&2; exit 1; }
  IN_WORLD=1 exec unshare --mount --propagation private -- bash "$0" "$@"
fi
mount -t tmpfs -o mode=755 tmpfs "$folder" || { echo WORLD IS MISSING >&2; exit 1; }
for layer in etc var usr/local mnt home; do
  mkdir -p "$folder/$layer" "$folder/work/$layer"
  mount -t overlay overlay -o "lowerdir=/$layer,upperdir=$folder/$layer,workdir=$folder/work/$layer" "/$layer" || { echo WORLD IS MISSING >&2; exit 1; }
done
# What an interrupted run on another machine may have left.
userdel --force deploy 2>/dev/null || true
rm -f /etc/passwd.lock /etc/shadow.lock /etc/group.lock /etc/gshadow.lock
useradd --create-home --shell /bin/bash deploy
echo 'deploy ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/deploy
chmod 440 /etc/sudoers.d/deploy
for tool in systemctl apt adduser; do
  printf '#!/bin/sh\necho "%s: $*"\n' $tool >/usr/local/bin/$tool
  chmod 755 /usr/local/bin/$tool
done
install -D -m 755 "$program" /home/deploy/target/release/guardpost
cp -r "$(dirname "$0")/../../../packaging" "$(dirname "$0")/../../../config.toml" /home/deploy/
chown -R deploy: /home/deploy
# As on many machines: other users cannot look into it.
chmod 700 /home/deploy
cd /home/deploy
exec setpriv --reuid deploy --regid deploy --init-groups --reset-env -- \
  env HOME=/home/deploy PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin bash -euo pipefail "$script"
