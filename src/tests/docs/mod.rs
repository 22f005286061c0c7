//! Every command block of README.md and docs/operate.md is run as it stands, in its order, by a
//! user who is not root, on a simulated host (`world.sh`). Blocks that cannot be run there are
//! listed with the reason.

mod paths;

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../README.md");
const OPERATE: &str = include_str!("../../../docs/operate.md");

/// How a block is tested.
enum Plan {
    /// Runs after the first script and before the second.
    Run(&'static str, &'static str),
    /// Cannot be run here, for this reason.
    NotHere(&'static str),
}

use Plan::{NotHere, Run};

/// The blocks of the operator's year, by a part of their first line.
const YEAR: &[(&str, Plan)] = &[
    ("alias gp=", Run("", "")),
    (
        "sudo apt install ./guardpost_",
        NotHere("the package needs a release build and systemd: packaging/deb/test.sh installs it"),
    ),
    (
        "sudo install -m 755 target/release/guardpost",
        Run(
            "",
            r#"echo a-lantern-at-the-north-gate | gp create-admin --email you@company.example --password-stdin
            printf '[backup]\nto = "/var/backups/guardpost"\n[mail]\nto = ["office@company.test"]\n' |
              sudo tee /etc/guardpost/config.toml >/dev/null
            test -z "$(sudo find /var/lib/guardpost ! -user guardpost)"
            if command -v systemd-analyze >/dev/null; then
              systemd-analyze verify --man=no --recursive-errors=no /etc/systemd/system/guardpost.service
            else
              echo "NOT RUN: systemd-analyze is missing"
            fi
            # As `systemctl start` does: the server makes its keys.
            sudo -u guardpost guardpost --config /etc/guardpost/config.toml \
              --data /var/lib/guardpost serve --listen 127.0.0.1:0 &
            timeout 20 sh -c 'until sudo test -s /var/lib/guardpost/address.key; do sleep 0.1; done'
            sudo kill $! && wait $! || true
            gp seed-demo --yes
            gp check && gp backup"#,
        ),
    ),
    (
        "guardpost verify-backup",
        Run(
            r#"guardpost backup-key backup.key
            sudo install -d -o guardpost /mnt/backups/guardpost
            sudo install -m 400 -o guardpost backup.key /var/lib/guardpost/backup.key
            gp backup --to /mnt/backups/guardpost --key-file /var/lib/guardpost/backup.key
            sudo chown -R deploy: /mnt/backups"#,
            "rm -r data-drill",
        ),
    ),
    (
        "newest=$(ls -d /mnt/backups/guardpost/",
        Run("", "head -c 15 guardpost.db | grep 'SQLite format 3'"),
    ),
    ("gp outbox list --held", Run("", "")),
    ("gp backup", Run("", "")),
    (
        "sudo install -m 644 packaging/guardpost.logrotate",
        Run(
            "sudo install -d -m 750 -o guardpost -g guardpost /var/log/guardpost
            echo line | sudo -u guardpost tee /var/log/guardpost/access.log >/dev/null",
            "sudo logrotate --force /etc/logrotate.d/guardpost
            sudo test -s /var/log/guardpost/access.log.1
            sudo test -e /var/log/guardpost/access.log",
        ),
    ),
    ("gp offer verify", Run("", "test -e offers.jsonl")),
    (
        "sudo install -d -o guardpost /var/tmp/content",
        Run("", "sudo test -s /var/tmp/content/faqs.json"),
    ),
    (
        "gp person erase ADDRESS",
        Run(
            "gp person erase yolanda.pierce@mail.example | grep -v 'Nothing is stored'",
            "gp person erase yolanda.pierce@mail.example | grep 'Nothing is stored'",
        ),
    ),
];

/// Those of the README, which are about a folder of the user.
const FIRST_HOUR: &[(&str, Plan)] = &[
    (
        "npx rust-just run",
        NotHere("it builds everything; the recipes of the tests do the same"),
    ),
    (
        "./target/debug/guardpost create-admin",
        NotHere("it asks for a password on a terminal; others run it with --password-stdin"),
    ),
    ("npx rust-just test", NotHere("this test is a part of it")),
    (
        "guardpost backup --to /var/backups/guardpost",
        Run(
            "sudo install -m 755 target/release/guardpost /usr/local/bin/
            sudo install -d -m 700 -o deploy /var/backups/guardpost
            rm config.toml && guardpost seed-demo",
            "",
        ),
    ),
];

/// The contents of the blocks of this language.
fn blocks(text: &'static str, language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let starts = text.split(fence.as_str()).skip(1);
    starts
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

/// One script of all blocks that can be run. Names in capitals stand for what is known only then.
fn script(document: &'static str, plans: &[(&str, Plan)]) -> String {
    let blocks = blocks(document, "sh");
    let mut script = "shopt -s expand_aliases\n\
        # A server runs until it is stopped.\n\
        guardpost() { case \" $* \" in *' serve '*) timeout -s TERM 4 guardpost.bin \"$@\" \
        || [ $? = 124 ];;\
        *) guardpost.bin \"$@\";; esac; }\n\
        sudo ln -s /usr/local/bin/guardpost /usr/local/bin/guardpost.bin\n"
        .to_owned();
    assert_eq!(blocks.len(), plans.len(), "every block has a plan");
    for (block, (begin, plan)) in blocks.into_iter().zip(plans) {
        assert!(
            block.starts_with(begin),
            "the next block is {begin}: {block}"
        );
        match plan {
            Run(before, after) => {
                let block = block.replace("ADDRESS", "yolanda.pierce@mail.example");
                let block = block.replace("release ID        # or --all", "release --all");
                script +=
                    &format!("{before}\nset -x\n{block}\n{{ set +x; }} 2>/dev/null\n{after}\n");
            }
            NotHere(reason) => println!("NOT RUN: {begin}…: {reason}"),
        }
    }
    script + "echo ALL OF IT HOLDS\n"
}

fn run(script: &str) {
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let tools = ["/usr/bin/sudo", "/usr/sbin/logrotate", "/usr/bin/age"];
    if !is_root || tools.iter().any(|tool| !Path::new(tool).exists()) {
        eprintln!(
            "SKIPPED: the documents are run where root runs the tests, with sudo, logrotate and age"
        );
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), script).unwrap();
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644)).unwrap();
    let output = Command::new("bash")
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/src/tests/docs/world.sh"
        ))
        .arg(folder.path())
        .arg(env!("CARGO_BIN_EXE_guardpost"))
        .arg(file.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("WORLD IS MISSING") {
        eprintln!("SKIPPED: this machine makes no layers of folders: {errors}");
        return;
    }
    for line in text.lines().filter(|line| line.starts_with("NOT RUN")) {
        println!("{line}");
    }
    let holds = output.status.success() && text.contains("ALL OF IT HOLDS");
    assert!(holds, "{text}\n{errors}");
}

#[test]
fn the_operators_year_is_run_as_it_stands() {
    run(&script(OPERATE, YEAR));
}

#[test]
fn the_commands_of_the_readme_are_run_as_they_stand() {
    run(&script(README, FIRST_HOUR));
}

#[test]
fn every_setting_of_the_documents_exists() {
    for block in blocks(OPERATE, "toml")
        .iter()
        .chain(&blocks(README, "toml"))
    {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), block).unwrap();
        config::Config::load(Some(file.path()), std::iter::empty())
            .unwrap_or_else(|error| panic!("{block}: {error:#}"));
    }
}

#[test]
fn the_memory_of_the_unit_is_that_of_the_documents() {
    let unit = include_str!("../../../packaging/guardpost.service");
    let line = unit.lines().find(|line| line.starts_with("MemoryMax="));
    assert!(OPERATE.contains(&format!("`{}`", line.unwrap())));
    // systemd stops a unit of which one process is ended for its memory, unless configured not to.
    assert!(unit.lines().any(|line| line == "OOMPolicy=continue"));
}
