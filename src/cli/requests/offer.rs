//! `guardpost offer verify` and `guardpost export-offers`.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use serde_json::json;

use crate::cli::accounts::account_service;
use crate::cli::output::count_noun::count_noun;
use crate::cli::output::print::StandardOutput;
use crate::cli::startup::global_args::GlobalArgs;
use domain::clock::Clock;
use domain::offer::document::{SealKey, digest, faults};
use domain::offer::verdict::{Finding, compare};
use store::Store;
use store::offers::{OfferQuery, VersionId};

/// Check offers that were sent or accepted.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost offer verify Offer-GP-2K7Q-1-version-1.pdf\n  \
    guardpost offer verify - < receipt.pdf\n  \
    guardpost offer verify")]
pub(in crate::cli) struct OfferCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Say whether a file is what was sent, what was accepted, or neither
    ///
    /// The file is the PDF, the text or the JSON of a version, or a receipt. It is compared with
    /// the stored bytes. Without a file, everything that is stored is checked: digests, seals, and
    /// that each acceptance names the one before it. Fails if anything was changed.
    Verify {
        /// The file, or `-` for standard input; all that is stored without it
        file: Option<PathBuf>,
    },
}

impl OfferCommand {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let store = GlobalArgs::open_existing(&config)?;
        let auth = account_service::open(store.clone(), &config).await?;
        let seal = auth.derived_key("offer seals");
        let key = SealKey::new(&seal)?;
        match self.command {
            Command::Verify { file: Some(file) } => verify_file(&store, &key, &file).await,
            Command::Verify { file: None } => verify_all(&store, &key).await,
        }
    }
}

async fn verify_file(store: &Store, key: &SealKey, file: &Path) -> Result<()> {
    let mut bytes = Vec::new();
    let read = match file.as_os_str() == "-" {
        true => std::io::stdin().lock().read_to_end(&mut bytes).map(drop),
        false => std::fs::read(file).map(|read| bytes = read),
    };
    read.with_context(|| format!("cannot read {}", file.display()))?;
    let stored = store.offers_with_digest(digest(&bytes)).await?;
    let found = stored
        .iter()
        .find_map(|stored| compare(&bytes, stored, key));
    let Some(found) = found else {
        bail!(
            "{} is neither an offer that was sent nor one that was accepted, or was changed since",
            file.display()
        );
    };
    for line in in_words(&found) {
        say!("{line}");
    }
    match found.faults.as_slice() {
        [] => Ok(()),
        faults => bail!("what is stored was changed:\n  {}", faults.join("\n  ")),
    }
}

fn in_words(found: &Finding) -> Vec<String> {
    let (number, version, part) = (&found.number, found.version, found.part.name());
    let mut lines = vec![format!(
        "This is {part} of offer {number}, version {version}, as it was sent."
    )];
    lines.push(match &found.accepted {
        Some(accepted) => format!("Accepted by {} on {}.", accepted.name, accepted.at),
        None => "This version was not accepted.".to_owned(),
    });
    lines
}

async fn verify_all(store: &Store, key: &SealKey) -> Result<()> {
    let (mut wrong, mut accepted) = (Vec::new(), 0);
    let versions = store.sent_versions().await?;
    for VersionId { number, version } in &versions {
        let stored = store.offer_version(number.clone(), *version).await?;
        accepted += usize::from(stored.acceptance.is_some());
        let faults = faults(&stored, key).into_iter();
        wrong.extend(faults.map(|fault| format!("{number}, version {version}: {fault}")));
    }
    say!(
        "Checked {}, {} accepted.",
        count_noun(versions.len(), "version"),
        accepted
    );
    match wrong.as_slice() {
        [] => Ok(()),
        wrong => bail!("what is stored was changed:\n  {}", wrong.join("\n  ")),
    }
}

/// Export offers to standard output as JSON lines.
///
/// The last changed come first. Each has its number, its state, the customer, and every version
/// with value, answer and digests.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost export-offers > offers.jsonl\n  \
    guardpost export-offers | jq 'select(.state == \"accepted\") | .number'")]
pub(in crate::cli) struct ExportOffers {}

/// Offers read at once.
const PAGE: u32 = 500;

impl ExportOffers {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        use std::io::Write;
        let config = globals.settings()?;
        let store = GlobalArgs::open_existing(&config)?;
        let now = Clock::system().now();
        let (mut skip, mut out) = (0, std::io::BufWriter::new(StandardOutput));
        loop {
            let query = OfferQuery {
                skip,
                ..OfferQuery::default()
            };
            let page = store.offers(query, PAGE, now).await?;
            for offer in &page.offers {
                let request = offer.request.as_ref();
                let mut versions = Vec::new();
                for sent in &offer.sent {
                    let stored = store.offer_version(offer.number.clone(), sent.version);
                    let stored = stored.await?;
                    versions.push(json!({
                        "version": sent.version,
                        "state": sent.state_at(now).as_str(),
                        "recipient": sent.recipient,
                        "total_cents": sent.total_cents,
                        "is_weekly": sent.is_weekly,
                        "valid_until": sent.valid_until,
                        "sent_at": sent.sent_at,
                        "answered_at": sent.answered_at,
                        "answered_by": sent.answered_by,
                        "reason": sent.reason,
                        "digests": stored.digests,
                    }));
                }
                let line = json!({
                    "number": offer.number,
                    "state": offer.state(now).as_str(),
                    "request": request.map(|request| &request.reference),
                    "name": request.map(|request| request.full_name()),
                    "company": request.and_then(|request| request.company.as_ref()),
                    "created_at": offer.created_at,
                    "updated_at": offer.updated_at,
                    "versions": versions,
                });
                writeln!(out, "{line}")?;
            }
            if !page.has_more {
                return Ok(out.flush()?);
            }
            skip += PAGE;
        }
    }
}
