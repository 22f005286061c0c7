//! The filters of the inbox as options of the export commands.

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;

use crate::app;
use config::Config;
use domain::clock::time_zone::TimeZone;
use domain::clock::{Clock, Time};
use domain::email::email_address::EmailAddress;
use domain::request::RequestKind;
use domain::request::quote::Status;
use domain::us_state;
use store::lists::filter::{Assignee, Hidden, RequestFilter};
use store::{Store, accounts};

/// Which requests to export.
#[derive(Args)]
pub(in crate::cli) struct FilterArgs {
    /// Only those in these statuses (comma-separated): pending, in_progress, completed, cancelled
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = parse_status)]
    status: Vec<Status>,
    /// Only those since this day on the company's clock, or this time, e.g. 2026-11-01 or
    /// 2026-11-01T08:00:00Z
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Only those until the end of this day, or before this time
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
    /// Only those that contain all these words; the last may be the beginning of one
    #[arg(long, value_name = "WORDS")]
    pub(in crate::cli) search: Option<String>,
    /// Only those for this service, e.g. fire-watch
    #[arg(long, value_name = "SERVICE")]
    service: Option<String>,
    /// Only those for a location in this state, e.g. TX
    #[arg(long, value_name = "STATE", value_parser = parse_state)]
    state: Option<&'static str>,
    /// Only those of the person with this email address, or `nobody`
    #[arg(long, value_name = "ADDRESS")]
    assignee: Option<String>,
    /// Only those whose due time has passed without an answer
    #[arg(long)]
    overdue: bool,
    /// Only those whose visitor wants a call right away
    #[arg(long)]
    emergency: bool,
    /// Only those that are held as spam, which are left out otherwise
    #[arg(long)]
    held: bool,
}

impl FilterArgs {
    /// The filter of the requests, apart from the words to search for.
    pub(in crate::cli) async fn resolve(
        self,
        config: &Config,
        store: &Store,
        kind: RequestKind,
    ) -> Result<RequestFilter> {
        let zone = TimeZone::parse(&config.company.time_zone).context("company.time_zone")?;
        let day = |text: &str| {
            anyhow!(
                "expected a day like 2026-11-01 or a time like 2026-11-01T08:00:00Z, not `{text}`"
            )
        };
        let time = |text: &String, of_day: Option<Time>| {
            of_day
                .or_else(|| Time::parse(text))
                .ok_or_else(|| day(text))
        };
        let since = self
            .from
            .as_ref()
            .map(|text| time(text, zone.start_of_day(text)));
        let until = self
            .to
            .as_ref()
            .map(|text| time(text, zone.end_of_day(text)));
        let (since, until) = (since.transpose()?, until.transpose()?);
        if since
            .zip(until)
            .is_some_and(|(since, until)| since >= until)
        {
            bail!("--from is not before --to, so nothing can match");
        }
        let assignee = match self.assignee.as_deref() {
            None => None,
            Some("nobody") => Some(Assignee::Nobody),
            Some(address) => Some(Assignee::User(user_id(store, address).await?)),
        };
        Ok(RequestFilter {
            kind: Some(kind),
            statuses: self.status,
            service: self.service,
            state: self.state,
            assignee,
            since,
            until,
            overdue: self.overdue.then_some(true),
            hidden: match self.held {
                true => Hidden::Spam,
                false => Hidden::No,
            },
            emergency: self.emergency.then_some(true),
            times: app::answer_times(&config.desk),
            now: Clock::system().now(),
            ..RequestFilter::default()
        })
    }
}

async fn user_id(store: &Store, address: &str) -> Result<String> {
    let email: EmailAddress = address
        .parse()
        .map_err(|_| anyhow!("`{address}` is neither an email address nor `nobody`"))?;
    let found = store
        .read(move |conn| accounts::by_email(conn, &email))
        .await?;
    let user = found.with_context(|| {
        format!("no account has the address {address}; list-users shows all accounts")
    })?;
    Ok(user.id)
}

fn parse_status(name: &str) -> Result<Status> {
    Status::parse(name).ok_or_else(|| {
        anyhow!(
            "expected one of {}",
            Status::ALL.map(|status| status.as_str()).join(", ")
        )
    })
}

fn parse_state(code: &str) -> Result<&'static str> {
    us_state::parse_code(code).context("expected the postal code of a state, as in TX")
}
