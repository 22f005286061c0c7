//! `guardpost check`: validates the settings, checks the data folder, the backups and, on request,
//! network services, and warns about sample content that should not be on a public site.

mod backups;
mod bucket;
mod data;
mod disk;
mod dns;
mod mail_warnings;
mod online;
mod ownership;
mod report;
mod settings;
pub(super) mod status;

use std::net::SocketAddr;

use anyhow::{Result, bail};
use clap::Args;

use self::report::Report;
use super::output::count_noun::count_noun;
use super::serve::install_tls_provider;
use super::startup::global_args::GlobalArgs;
use super::startup::runtime::block_on;
use domain::clock::Clock;
use store::database::disk::server_lock;

/// Check settings, data folder and backups, and warn about samples.
///
/// Reads the whole database, its keys and its images; a server may be running. Prints what needs
/// attention: a fault is what loses requests or keeps them from the office, and ends with status 1
/// (with --strict a warning too). Writes nothing but a file in the data folder that it removes at
/// once.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost check\n  \
    guardpost check --online\n  \
    guardpost check --all\n  \
    guardpost check --json | jq '.lines[] | select(.level == \"fault\")'\n  \
    guardpost check --strict --config /etc/guardpost.toml && systemctl restart guardpost")]
pub(super) struct Check {
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Also demand that the server runs, sign in at the mail server, look up SPF, DKIM and DMARC,
    /// request the public URL, list the bucket of files, and ask the certificate authority for the
    /// time
    #[arg(long)]
    online: bool,
    /// Print what is right as well, and each fact of the site that is a sample
    #[arg(long)]
    all: bool,
    /// Print one JSON object with all lines
    #[arg(long)]
    json: bool,
    /// The DNS server to ask with --online [default: the first of /etc/resolv.conf]
    #[arg(long, value_name = "ADDR:PORT")]
    dns_server: Option<SocketAddr>,
}

impl Check {
    pub(super) fn run(self, globals: &GlobalArgs) -> Result<()> {
        let mut report = Report::default();
        let examined = self.examine(globals, &mut report);
        if let Err(error) = examined {
            report.fault("settings", format!("{error:#}"));
        }
        let (faults, warnings) = (report.faults(), report.warnings());
        let failed = faults > 0 || (self.strict && warnings > 0);
        if self.json {
            say!("{}", report.json(!failed));
            if failed {
                bail!("{}", report.summary());
            }
            return Ok(());
        }
        report.print(self.all);
        if faults > 0 {
            bail!("{}", report.summary());
        }
        match warnings {
            0 => say!("The settings are valid, and there is no sample content."),
            n if self.strict => bail!("{}, and --strict was given", count_noun(n, "warning")),
            n => say!("The settings are valid; {}.", count_noun(n, "warning")),
        }
        Ok(())
    }

    /// Adds every line to `report`. Fails if the settings cannot be read at all.
    fn examine(&self, globals: &GlobalArgs, report: &mut Report) -> Result<()> {
        let (config, sources) = globals.settings_with_sources()?;
        for gone in sources.gone {
            let text =
                format!("{gone}: this is no setting any more and changes nothing; remove it");
            report.warning("settings", text);
        }
        let clock = Clock::system();
        install_tls_provider()?;
        settings::examine(&config, &clock, report);
        let data = data::examine(&config, report);
        bucket::examine(&config, data.contents, self.online, report);
        let is_drill = ownership::examine(&config, data.installation, self.online, report);
        let folder = &config.data.dir;
        if self.online && !is_drill && server_lock::running(folder).is_none() {
            report.fault("server", format!("no server runs on {}", folder.display()));
        }
        if !is_drill && !data.is_older {
            let now = clock.now();
            backups::examine(&config, &data.runs, &data.places, now, report);
        }
        settings::examine_content(&config, &data.content, clock.now(), report)?;
        if self.online {
            block_on(async {
                online::examine(&config, self.dns_server, report).await;
                Ok(())
            })?;
        }
        Ok(())
    }
}
