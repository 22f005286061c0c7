#!/usr/bin/env bash
# Serves a mailbox by IMAP over TLS with Dovecot 2.3 or later: FOLDER has certificate.pem and key.pem, the
# messages are in FOLDER/mail (Maildir). User `office`, password `secret`. Ends with its process.
set -euo pipefail
folder=$1 port=$2
mkdir -p "$folder"/mail/{new,cur,tmp} "$folder"/mail/.Done/{new,cur,tmp} "$folder"/home
chmod -R a+rwX "$folder"
# As root, Dovecot reads mail as another user, and its parts run as the users of its package.
if [[ $(id -u) == 0 ]]; then user=nobody internal=dovecot login=dovenull; else user=$(id -un) internal=$user login=$user; fi
cat > "$folder/dovecot.conf" <<END
base_dir = $folder/run
state_dir = $folder/state
log_path = $folder/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <$folder/certificate.pem
ssl_key = <$folder/key.pem
mail_location = maildir:$folder/mail
default_internal_user = $internal
default_internal_group = $(id -gn "$internal")
default_login_user = $login
first_valid_uid = 1
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=$user gid=$(id -gn "$user") home=$folder/home
}
service imap-login {
  chroot =
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = $port
    ssl = yes
  }
}
service anvil {
  chroot =
}
END
exec dovecot -F -c "$folder/dovecot.conf"
