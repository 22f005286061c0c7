//! What customers fill in: their names, what they want, and how they came to the site.

use anyhow::{Result, anyhow};
use jiff::ToSpan;
use jiff::civil::Date;

use super::plan::Kind;
use super::words::{Random, Words};
use domain::form::Forms;
use domain::request::attribution::Attribution;
use domain::request::contact::NewContact;
use domain::request::quote::NewQuote;

/// The fields of a person who asks, perhaps again later.
type Fields = Vec<(&'static str, String)>;

/// Those who have asked, and the forms that they fill in.
pub(super) struct Customers<'a> {
    pub words: &'a Words,
    pub forms: &'a Forms,
    pub known: Vec<Fields>,
}

/// A form as it was filled in.
pub(super) enum Filled {
    Quote(NewQuote),
    Message(NewContact),
}

impl Customers<'_> {
    /// A request of this day; a quote for a start after so many days at the soonest.
    pub(super) fn fill(
        &mut self,
        random: &mut Random,
        day: Date,
        kind: &Kind<'_>,
        soonest: i64,
    ) -> Result<Filled> {
        let mut fields = self.customer(random)?;
        let words = self.words;
        let wrong = |errors| anyhow!("the year violates the form rules: {errors:?}");
        if let Kind::Quote { service, .. } = kind {
            let is_emergency = kind.is_emergency();
            let ahead = random.between(soonest, 24) * i64::from(!is_emergency);
            fields.extend([
                ("service_type", service.service.clone()),
                ("duration", random.pick(&service.durations)?.clone()),
                ("start_date", day.saturating_add(ahead.days()).to_string()),
                ("description", random.pick(&service.words)?.clone()),
                ("emergency_contact", is_emergency.to_string()),
            ]);
            let from = self.attribution(random, day, &service.page)?;
            let quote = NewQuote::parse(&self.forms.quote, |key| value(&fields, key), from, "");
            return Ok(Filled::Quote(quote.map_err(wrong)?));
        }
        let message = random.pick(&words.messages)?;
        let (service, details, from) = match kind {
            Kind::Spam => ("other", random.pick(&words.spam)?, None),
            _ => {
                let from = self.attribution(random, day, "/contact")?;
                (message.service.as_str(), &message.details, from)
            }
        };
        fields.extend([
            ("service", service.to_owned()),
            ("details", details.clone()),
        ]);
        let message = NewContact::parse(&self.forms.contact, |key| value(&fields, key), from);
        Ok(Filled::Message(message.map_err(wrong)?))
    }

    /// A new customer, or in one of seven cases one who has asked before.
    fn customer(&mut self, random: &mut Random) -> Result<Fields> {
        if !self.known.is_empty() && random.chance(14) {
            return Ok(random.pick(&self.known)?.clone());
        }
        let words = self.words;
        let first = random.pick(&words.first_names)?;
        let last = random.pick(&words.last_names)?;
        let company = match random.chance(76) {
            true => random.pick(&words.companies)?.as_str(),
            false => "",
        };
        let host = if company.is_empty() { "mail" } else { company };
        let email = format!("{}.{}@{}.example", plain(first), plain(last), plain(host));
        let place = random.of(&words.places)?;
        let number = random.between(0, 99);
        let customer = vec![
            ("first_name", first.clone()),
            ("last_name", last.clone()),
            ("company", company.to_owned()),
            ("email", email),
            ("phone", format!("({}) 555-01{number:02}", place.area)),
            ("location", place.name.clone()),
        ];
        self.known.push(customer.clone());
        Ok(customer)
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
            false => random.of(&self.words.pages)?,
        };
        let mut from = Attribution {
            landing: Some(landing.to_owned()),
            ..Attribution::default()
        };
        if random.chance(27) {
            let campaign = self.words.campaign(random, day)?;
            let is_ad = campaign.medium == "cpc";
            let source = if is_ad { "google" } else { "newsletter" };
            from.utm_source = Some(source.to_owned());
            from.utm_medium = Some(campaign.medium.clone());
            from.utm_campaign = Some(campaign.name.clone());
            from.gclid = is_ad.then(|| format!("demo-{}", random.between(100_000, 999_999)));
        } else {
            let host = random.of(&self.words.referrers)?.clone();
            from.referrer_host = Some(host).filter(|host| !host.is_empty());
        }
        Ok(Some(from))
    }
}

fn value<'a>(fields: &'a Fields, key: &str) -> Option<&'a str> {
    let mut fields = fields.iter();
    fields.find_map(|(name, value)| (*name == key).then_some(value.as_str()))
}

/// The letters and digits of a name, as in an address.
fn plain(name: &str) -> String {
    let name = name.to_lowercase().replace('ñ', "n");
    name.chars().filter(char::is_ascii_alphanumeric).collect()
}
