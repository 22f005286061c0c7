//! Who asks in the year and what they fill in, and who looks at the site, day by day.

use anyhow::{Context, Result, anyhow};
use jiff::ToSpan;
use jiff::civil::Date;

use super::words::{Random, Service, Story, Words};
use super::year::Year;
use domain::clock::{HOUR_MS, MINUTE_MS, Time};
use domain::figures::source::Source;
use domain::request::attribution::Attribution;
use domain::request::contact::NewContact;
use domain::request::quote::NewQuote;
use store::figures::views::Views;

/// Days before today on which the year begins.
pub(super) const DAYS: i32 = 364;
/// Views of visitors on an average day, and requests of an average month in the seed.
const VIEWS: i64 = 210;
const AVERAGE_MONTH: i64 = 110;

/// A request of the year: a quote if it names a service, else a message.
#[derive(Clone, Copy)]
pub(super) struct Planned<'a> {
    pub at: Time,
    pub service: Option<&'a Service>,
    pub is_emergency: bool,
    pub by_phone: bool,
    pub is_spam: bool,
    pub story: Story,
}

/// The days of the year that ends today, each with how busy it is in percent of the average: by
/// weekday, and as a company that grows.
fn days(words: &Words, today: Date) -> impl Iterator<Item = (Date, i64)> {
    (0..=DAYS).map(move |number| {
        let day = today.saturating_add((number - DAYS).days());
        let weekday = usize::try_from(day.weekday().to_monday_zero_offset()).unwrap_or_default();
        let growth = 86 + i64::from(number) * 28 / i64::from(DAYS);
        (day, words.weekdays[weekday] * growth / 100)
    })
}

/// The views of each day, also those by programs and by the office.
pub(super) fn visits(words: &Words, random: &mut Random, today: Date) -> Result<Vec<Views>> {
    let views = days(words, today).map(|(day, busy)| {
        let of_month: i64 = words.services.iter().map(|it| it.of_month(day)).sum();
        let visitors = VIEWS * busy * of_month / AVERAGE_MONTH / 100;
        let visitors = visitors * random.between(85, 115) / 100;
        let mut views = Views {
            day: day.to_string(),
            ..Views::default()
        };
        for number in 0..visitors * 141 / 100 {
            let page = random.of(&words.pages)?;
            let source = if number >= visitors * 138 / 100 {
                Source::Office
            } else if number >= visitors {
                Source::Robot
            } else if random.chance(26) {
                let (name, is_ad) = words.campaign(random, day)?;
                *views.campaigns.entry(name.to_owned()).or_default() += 1;
                if is_ad { Source::Ad } else { Source::Email }
            } else if random.chance(30) {
                Source::Own
            } else {
                let host = Some(random.of(&words.referrers)?.as_str());
                Source::of_view("", host.filter(|host| !host.is_empty()), "own").0
            };
            let sources = views.pages.entry(page.clone()).or_default();
            *sources.entry(source).or_default() += 1;
            let is_form = ["/quote", "/contact"].contains(&page.as_str());
            if number < visitors && is_form && random.chance(16) {
                *views.forms.entry(page.clone()).or_default() += 1;
            }
        }
        Ok(views)
    });
    views.collect()
}

impl<'a> Year<'a> {
    /// All requests up to the end, oldest first.
    pub(super) fn plan(&mut self) -> Result<Vec<Planned<'a>>> {
        let (words, mut all) = (self.words, Vec::new());
        for (day, busy) in days(words, self.zone.local(self.until).date()) {
            let mut asked = Vec::new();
            for service in &words.services {
                // Of a thousand quote requests that the months of the seed count, 600 come.
                let number = service.of_month(day) * 600 * busy / 3000;
                for _ in 0..self.random.whole(number) {
                    let is_emergency = self.random.chance(service.emergency_percent);
                    asked.push((Some(service), is_emergency, false));
                }
            }
            for (is_spam, thousandths) in [(false, 450), (true, 260)] {
                let number = self.random.whole(thousandths * busy / 100);
                asked.extend((0..number).map(|_| (None, false, is_spam)));
            }
            for (service, is_emergency, is_spam) in asked {
                let at_any_hour = is_emergency || is_spam;
                let hour = *self.random.of(&words.hours[usize::from(at_any_hour)])?;
                let millis = self.random.between(0, HOUR_MS - 1);
                all.push(Planned {
                    at: self.zone.at(day, hour * 60).plus_millis(millis),
                    service,
                    is_emergency,
                    by_phone: service.is_some() && self.random.chance(14),
                    is_spam,
                    story: Story::Usual,
                });
            }
        }
        all.retain(|planned| planned.at < self.until);
        for (minutes_ago, name, is_emergency, story) in &words.today {
            let service = words.services.iter().find(|it| it.service == *name);
            all.push(Planned {
                at: self.until.plus_millis(-minutes_ago * MINUTE_MS),
                service: Some(service.context("a service of today is unknown")?),
                is_emergency: *is_emergency,
                by_phone: false,
                is_spam: false,
                story: *story,
            });
        }
        all.sort_by_key(|planned| planned.at);
        Ok(all)
    }

    /// A quote of this service as a customer fills it in.
    pub(super) fn fill_quote(&mut self, of: Planned<'_>, service: &Service) -> Result<NewQuote> {
        let mut fields = self.customer()?;
        let day = self.zone.local(of.at).date();
        // An offer that is open today ends after today: the day before the service begins.
        let soonest = if of.story == Story::Usual { 2 } else { 18 };
        let ahead = self.random.between(soonest, 24) * i64::from(!of.is_emergency);
        fields.extend([
            ("service_type", service.service.clone()),
            ("duration", self.random.pick(&service.durations)?.clone()),
            ("start_date", day.saturating_add(ahead.days()).to_string()),
            ("description", self.random.pick(&service.words)?.clone()),
            ("emergency_contact", of.is_emergency.to_string()),
        ]);
        let from = self.attribution(day, &service.page)?;
        let quote = NewQuote::parse(&self.forms.quote, |key| value(&fields, key), from, "");
        quote.map_err(|errors| anyhow!("the year violates the form rules: {errors:?}"))
    }

    /// A contact message, or spam.
    pub(super) fn fill_message(&mut self, of: Planned<'_>) -> Result<NewContact> {
        let mut fields = self.customer()?;
        let (service, details) = self.random.pick(&self.words.messages)?;
        let (service, details, from) = if of.is_spam {
            ("other", self.random.pick(&self.words.spam)?, None)
        } else {
            let day = self.zone.local(of.at).date();
            (
                service.as_str(),
                details,
                self.attribution(day, "/contact")?,
            )
        };
        fields.extend([
            ("service", service.to_owned()),
            ("details", details.clone()),
        ]);
        let message = NewContact::parse(&self.forms.contact, |key| value(&fields, key), from);
        message.map_err(|errors| anyhow!("the year violates the form rules: {errors:?}"))
    }

    /// The fields of a new customer, or in one of seven cases of one who has asked before.
    fn customer(&mut self) -> Result<Vec<(&'static str, String)>> {
        let (words, random) = (self.words, &mut self.random);
        if !self.known.is_empty() && random.chance(14) {
            return Ok(random.pick(&self.known)?.clone());
        }
        let first = random.pick(&words.first_names)?;
        let last = random.pick(&words.last_names)?;
        let company = match random.chance(76) {
            true => random.pick(&words.companies)?.as_str(),
            false => "",
        };
        let host = if company.is_empty() { "mail" } else { company };
        let email = format!("{}.{}@{}.example", plain(first), plain(last), plain(host));
        let (place, area) = random.of(&words.places)?;
        let number = random.between(0, 99);
        let customer = vec![
            ("first_name", first.clone()),
            ("last_name", last.clone()),
            ("company", company.to_owned()),
            ("email", email),
            ("phone", format!("({area}) 555-01{number:02}")),
            ("location", place.clone()),
        ];
        self.known.push(customer.clone());
        Ok(customer)
    }

    /// How a visit that is about `page` came to the site: none in a few cases, as of browsers that
    /// send nothing.
    fn attribution(&mut self, day: Date, page: &str) -> Result<Option<Attribution>> {
        let (words, random) = (self.words, &mut self.random);
        if random.chance(6) {
            return Ok(None);
        }
        let landing = match random.chance(58) {
            true => page,
            false => random.of(&words.pages)?,
        };
        let mut from = Attribution {
            landing: Some(landing.to_owned()),
            ..Attribution::default()
        };
        if random.chance(27) {
            let (name, is_ad) = words.campaign(random, day)?;
            let (source, medium) = match is_ad {
                true => ("google", "cpc"),
                false => ("newsletter", "email"),
            };
            from.utm_source = Some(source.to_owned());
            from.utm_medium = Some(medium.to_owned());
            from.utm_campaign = Some(name.to_owned());
            from.gclid = is_ad.then(|| format!("demo-{}", random.between(100_000, 999_999)));
        } else {
            let host = random.of(&words.referrers)?.clone();
            from.referrer_host = Some(host).filter(|host| !host.is_empty());
        }
        Ok(Some(from))
    }
}

fn value<'a>(fields: &'a [(&'static str, String)], key: &str) -> Option<&'a str> {
    let mut fields = fields.iter();
    fields.find_map(|(name, value)| (*name == key).then_some(value.as_str()))
}

/// The letters and digits of a name, as in an address.
fn plain(name: &str) -> String {
    let name = name.to_lowercase().replace('ñ', "n");
    name.chars().filter(char::is_ascii_alphanumeric).collect()
}
