//! The demo year of `seed-demo --year`: requests, offers and views of a company in a year that ends
//! now. They go through the functions of the store that the server uses, on a clock that is turned,
//! so that they obey its rules. The same clock has the same year.

mod office;
mod plan;
mod words;

use anyhow::{Context, Result, anyhow, bail};

use self::words::{Random, Share, Words};
use super::samples::{Sample, samples};
use crate::cli::accounts::account_service;
use crate::cli::startup::global_args::GlobalArgs;
use auth::Auth;
use config::Config;
use domain::account::Role;
use domain::account::profile::Profile;
use domain::clock::time_zone::TimeZone;
use domain::clock::{DAY_MS, MINUTE_MS, Time};
use domain::form::Forms;
use domain::offer::document::SealKey;
use domain::offer::rates::Rates;
use store::Store;
use store::accounts::actor::Actor;
use store::offers::rates::PublishedRates;
use store::outbox::delivery::ClaimLimits;

/// Days before today on which the year begins.
const DAYS: i64 = 364;

/// The parts from which the year is made.
struct Year<'a> {
    store: &'a Store,
    config: &'a Config,
    zone: TimeZone,
    words: &'a Words,
    /// Of quotes and of messages.
    samples: [Vec<Sample>; 2],
    forms: Forms,
    /// Who works there, and the share of the work that each does.
    people: Vec<Share<Actor>>,
    rates: PublishedRates,
    seal: SealKey,
    random: Random,
    until: Time,
    requests: usize,
    offers: usize,
}

/// Fills the empty database of these settings with a year that ends at `now`; returns the numbers
/// of requests and offers. Fails if there are requests.
pub(super) async fn fill(config: &Config, now: Time) -> Result<(usize, usize)> {
    let store = GlobalArgs::open(config)?;
    if store.has_requests().await? {
        bail!(
            "this database holds requests; the demo year belongs in a new one (--data DIR): it \
             could not be told apart from them"
        );
    }
    let words = Words::bundled()?;
    let zone = TimeZone::parse(&config.company.time_zone).context("company.time_zone")?;
    store.keep_figures_in(zone.clone()).await?;
    let auth = account_service::open(store.clone(), config).await?;
    let people = people(&auth, &store, &words, now).await?;
    let start = now.plus_millis(-(DAYS + 1) * DAY_MS);
    publish_rates(&store, &words, people[0].0.clone(), start).await?;
    let seal = auth.derived_key("offer seals");
    let mut year = Year {
        store: &store,
        config,
        zone,
        words: &words,
        samples: samples()?,
        forms: Forms::bundled().map_err(|error| anyhow!("the form rules: {error}"))?,
        people,
        rates: store.rates().await?.published,
        seal: SealKey::new(&seal)?,
        random: Random(fastrand::Rng::with_seed(1)),
        until: now,
        requests: 0,
        offers: 0,
    };
    note!("Making a year; this takes a minute.");
    store.add_views(year.views()).await?;
    for (at, course) in year.plan() {
        year.take(at, course).await?;
    }
    store.advance_offers(now).await?;
    year.deliver(now).await?;
    Ok((year.requests, year.offers))
}

impl Year<'_> {
    /// Marks the emails as sent that leave after something that happened at `now`.
    async fn deliver(&self, now: Time) -> Result<()> {
        // They can be undone for ten seconds.
        let (limits, now) = (ClaimLimits::any(100), now.plus_millis(MINUTE_MS));
        while self.store.has_due_emails(limits, now).await? {
            for email in self.store.claim_due(limits, MINUTE_MS, now).await? {
                self.store.email_sent(&email, now).await?;
            }
        }
        Ok(())
    }
}

/// Creates the people of the office, with random passwords.
async fn people(auth: &Auth, store: &Store, words: &Words, now: Time) -> Result<Vec<Share<Actor>>> {
    let mut people = Vec::new();
    for ((name, address), share) in &words.people {
        let password = auth::keys::secrets::random_token();
        auth.create_with_role(address.parse()?, &password, Role::Admin)
            .await?;
        let mut known = store.people(now).await?.into_iter();
        let person = known.find(|person| person.email.as_deref() == Some(address));
        let actor = Actor {
            user_id: person.context("a new account is unknown")?.id,
            client: "demo".to_owned(),
        };
        let profile = Profile {
            name: Some(name.clone()),
            signature: None,
        };
        store.save_profile(profile, actor.clone(), now).await?;
        people.push((actor, *share));
    }
    Ok(people)
}

/// Publishes the sample of the rates as the company's own.
async fn publish_rates(store: &Store, words: &Words, by: Actor, now: Time) -> Result<()> {
    let rates = Rates {
        insurance: words.insurance.clone(),
        confirmed_by: words.lawyer.clone(),
        ..Rates::sample()?
    };
    let revision = store.save_rates(0, rates, by.user_id.clone(), now).await?;
    store.publish_rates(revision, by, now).await?;
    Ok(())
}
