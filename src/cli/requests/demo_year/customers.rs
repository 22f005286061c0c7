//! What customers fill in: their names, what they want, and how they came to the site.

use anyhow::{Result, bail};
use jiff::ToSpan;
use jiff::civil::Date;

use super::random::Random;
use super::words::{Campaign, Service, Words};
use domain::form::Forms;
use domain::request::attribution::Attribution;
use domain::request::contact::NewContact;
use domain::request::quote::NewQuote;

/// A person who asks, perhaps again later.
#[derive(Clone)]
struct Customer {
    first_name: String,
    last_name: String,
    company: String,
    email: String,
    phone: String,
    place: String,
}

/// Those who have asked.
pub(super) struct Customers<'a> {
    words: &'a Words,
    forms: &'a Forms,
    known: Vec<Customer>,
}

impl<'a> Customers<'a> {
    pub(super) const fn new(words: &'a Words, forms: &'a Forms) -> Self {
        let known = Vec::new();
        Self {
            words,
            forms,
            known,
        }
    }

    /// A quote request of this day.
    pub(super) fn quote(
        &mut self,
        random: &mut Random,
        day: Date,
        service: &Service,
        is_emergency: bool,
    ) -> Result<NewQuote> {
        let customer = self.customer(random)?;
        let ahead = if is_emergency {
            0
        } else {
            random.between(2, 24)
        };
        let start = day.saturating_add(ahead.days()).to_string();
        let (duration, words) = (
            random.pick(&service.durations)?,
            random.pick(&service.words)?,
        );
        let from = self.attribution(random, day, &service.page)?;
        let raw = |key: &str| match key {
            "first_name" => Some(customer.first_name.as_str()),
            "last_name" => Some(customer.last_name.as_str()),
            "email" => Some(customer.email.as_str()),
            "phone" => Some(customer.phone.as_str()),
            "company" => Some(customer.company.as_str()),
            "service_type" => Some(service.service.as_str()),
            "duration" => Some(duration.as_str()),
            "start_date" => Some(start.as_str()),
            "location" => Some(customer.place.as_str()),
            "description" => Some(words.as_str()),
            "emergency_contact" => is_emergency.then_some("true"),
            _ => None,
        };
        match NewQuote::parse(&self.forms.quote, raw, from, "") {
            Ok(quote) => Ok(quote),
            Err(errors) => bail!("a quote of the year violates the form rules: {errors:?}"),
        }
    }

    /// A message of this day.
    pub(super) fn message(&mut self, random: &mut Random, day: Date) -> Result<NewContact> {
        let customer = self.customer(random)?;
        let message = random.pick(&self.words.messages)?;
        let from = self.attribution(random, day, "/contact")?;
        self.contact(&customer, &message.service, &message.details, from)
    }

    /// A message that a program has filled in.
    pub(super) fn spam(&mut self, random: &mut Random) -> Result<NewContact> {
        let number = random.between(1000, 9999);
        let customer = Customer {
            email: format!("offer{number}@sender{number}.example"),
            ..self.new_customer(random)?
        };
        let details = random.pick(&self.words.spam)?;
        self.contact(&customer, "other", details, None)
    }

    fn contact(
        &self,
        customer: &Customer,
        service: &str,
        details: &str,
        from: Option<Attribution>,
    ) -> Result<NewContact> {
        let raw = |key: &str| match key {
            "first_name" => Some(customer.first_name.as_str()),
            "last_name" => Some(customer.last_name.as_str()),
            "email" => Some(customer.email.as_str()),
            "phone" => Some(customer.phone.as_str()),
            "company" => Some(customer.company.as_str()),
            "service" => Some(service),
            "details" => Some(details),
            _ => None,
        };
        match NewContact::parse(&self.forms.contact, raw, from) {
            Ok(message) => Ok(message),
            Err(errors) => bail!("a message of the year violates the form rules: {errors:?}"),
        }
    }

    /// A new customer, or in one of seven cases one who has asked before.
    fn customer(&mut self, random: &mut Random) -> Result<Customer> {
        if !self.known.is_empty() && random.chance(14) {
            return Ok(random.pick(&self.known)?.clone());
        }
        let customer = self.new_customer(random)?;
        self.known.push(customer.clone());
        Ok(customer)
    }

    fn new_customer(&self, random: &mut Random) -> Result<Customer> {
        let words = self.words;
        let (first, last) = (
            random.pick(&words.first_names)?,
            random.pick(&words.last_names)?,
        );
        let company = match random.chance(76) {
            true => random.pick(&words.companies)?.as_str(),
            false => "",
        };
        let host = if company.is_empty() { "mail" } else { company };
        let place = random.weighted(&words.places, |place| place.share)?;
        Ok(Customer {
            first_name: first.clone(),
            last_name: last.clone(),
            company: company.to_owned(),
            email: format!("{}.{}@{}.example", plain(first), plain(last), plain(host)),
            phone: format!("({}) 555-01{:02}", place.area, random.between(0, 99)),
            place: place.name.clone(),
        })
    }

    /// How a visit that is about `page` came to the site: none in a few cases, as of browsers that
    /// send nothing.
    fn attribution(
        &self,
        random: &mut Random,
        day: Date,
        page: &str,
    ) -> Result<Option<Attribution>> {
        if random.chance(6) {
            return Ok(None);
        }
        let landing = match random.chance(58) {
            true => page,
            false => &random.weighted(&self.words.pages, |page| page.share)?.path,
        };
        let mut from = Attribution {
            landing: Some(landing.to_owned()),
            ..Attribution::default()
        };
        if random.chance(27) {
            let campaign = campaign(self.words, random, day)?;
            let is_ad = campaign.medium == "cpc";
            let source = if is_ad { "google" } else { "newsletter" };
            from.utm_source = Some(source.to_owned());
            from.utm_medium = Some(campaign.medium.clone());
            from.utm_campaign = Some(campaign.name.clone());
            from.gclid = is_ad.then(|| format!("demo-{}", random.between(100_000, 999_999)));
            return Ok(Some(from));
        }
        let referrer = random.weighted(&self.words.referrers, |referrer| referrer.share)?;
        from.referrer_host = Some(referrer.host.clone()).filter(|host| !host.is_empty());
        Ok(Some(from))
    }
}

/// A campaign that runs on this day.
pub(super) fn campaign<'a>(
    words: &'a Words,
    random: &mut Random,
    day: Date,
) -> Result<&'a Campaign> {
    let month = i64::from(day.month());
    random.weighted(&words.campaigns, |campaign| {
        let runs = (campaign.first_month..=campaign.last_month).contains(&month);
        if runs { campaign.share } else { 0 }
    })
}

/// The letters and digits of a name, as in an address.
fn plain(name: &str) -> String {
    let name = name.to_lowercase().replace('ñ', "n");
    name.chars().filter(char::is_ascii_alphanumeric).collect()
}
