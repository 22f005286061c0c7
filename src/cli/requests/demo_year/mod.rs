//! The demo year of `seed-demo --year`: requests, offers and views of a company in a year that ends
//! now. They go through the functions of the store that the server uses, on a clock that is turned,
//! so that they obey its rules. The same clock has the same year.

mod offers;
mod office;
mod plan;
mod words;
mod year;

use anyhow::{Result, anyhow, bail};

use self::plan::DAYS;
use self::words::{Random, Share, Words};
use self::year::Year;
use crate::cli::accounts::account_service;
use crate::cli::startup::global_args::GlobalArgs;
use auth::Auth;
use config::Config;
use domain::account::Role;
use domain::account::profile::Profile;
use domain::clock::time_zone::TimeZone;
use domain::clock::{DAY_MS, Time};
use domain::email::email_address::EmailAddress;
use domain::form::Forms;
use domain::offer::document::SealKey;
use domain::offer::rates::Rates;
use store::Store;
use store::accounts::actor::Actor;

/// The numbers of what was made.
pub(super) struct Made {
    pub requests: usize,
    pub offers: usize,
}

/// Fills the empty database of these settings with a year that ends at `now`. Fails if there are
/// requests.
pub(super) async fn fill(config: &Config, now: Time) -> Result<Made> {
    let store = GlobalArgs::open(config)?;
    if store.has_requests().await? {
        bail!(
            "this database holds requests; the demo year belongs in a new one (--data DIR): it \
             could not be told apart from them"
        );
    }
    let (words, forms) = (Words::bundled()?, Forms::bundled());
    let forms = forms.map_err(|error| anyhow!("the form rules: {error}"))?;
    let zone = TimeZone::parse(&config.company.time_zone)
        .ok_or_else(|| anyhow!("`{}` is not a time zone", config.company.time_zone))?;
    store.keep_figures_in(zone.clone()).await?;
    let auth = account_service::open(store.clone(), config).await?;
    let people = people(&auth, &store, &words, now).await?;
    let first = people
        .first()
        .ok_or_else(|| anyhow!("nobody works there"))?;
    let start = now.plus_millis(-i64::from(DAYS + 1) * DAY_MS);
    publish_rates(&store, &words, first.0.clone(), start).await?;

    let mut random = Random(fastrand::Rng::with_seed(1));
    let views = plan::visits(&words, &mut random, zone.local(now).date())?;
    store.add_views(views).await?;
    let [_, _, seal] = auth.offer_keys();
    let mut year = Year {
        store: &store,
        config,
        zone: &zone,
        words: &words,
        forms: &forms,
        people,
        known: Vec::new(),
        rates: store.rates().await?.published,
        seal: SealKey::new(&seal)?,
        random,
        until: now,
        offers: 0,
    };
    note!("Making a year; this takes a minute.");
    let planned = year.plan()?;
    let requests = planned.len();
    for planned in planned {
        year.take(planned).await?;
    }
    store.advance_offers(now).await?;
    year.deliver(now).await?;
    let offers = year.offers;
    Ok(Made { requests, offers })
}

/// Creates the people of the office, with random passwords.
async fn people(auth: &Auth, store: &Store, words: &Words, now: Time) -> Result<Vec<Share<Actor>>> {
    let mut people = Vec::new();
    for ((name, address), share) in &words.people {
        let email: EmailAddress = address
            .parse()
            .map_err(|error| anyhow!("`{address}` in seeds/demo/year.json: {error}"))?;
        let password = auth::keys::secrets::random_token();
        auth.create_with_role(email, &password, Role::Admin).await?;
        let mut known = store.people(now).await?.into_iter();
        let person = known.find(|person| person.email.as_deref() == Some(address));
        let actor = Actor {
            user_id: person.ok_or_else(|| anyhow!("{address} is unknown"))?.id,
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
