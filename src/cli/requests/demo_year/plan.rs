//! Who asks in the year, and who looks at the site, day by day.

use std::collections::HashMap;

use anyhow::Result;
use jiff::ToSpan;
use jiff::civil::Date;

use super::words::{Random, Service, Words};
use domain::clock::time_zone::TimeZone;
use domain::clock::{HOUR_MS, MINUTE_MS, Time};
use domain::figures::source::Source;
use store::figures::views::Views;

/// Days before today on which the year begins.
pub(super) const DAYS: i32 = 364;
/// Of a thousand quote requests that the months of the seed count.
const QUOTES: i64 = 600;
/// Messages and spam of a day, in thousandths.
const MESSAGES: i64 = 450;
const SPAM: i64 = 260;
/// Views of visitors on an average day, and of an average month in the seed.
const VIEWS: i64 = 210;
const AVERAGE_MONTH: i64 = 110;
/// Views by programs and by the office, in percent of those of visitors.
const OTHER_VIEWS: [(i64, Source); 2] = [(38, Source::Robot), (3, Source::Office)];
/// Percent of the average, Monday first.
const WEEKDAYS: [i64; 7] = [122, 126, 121, 116, 110, 58, 47];
/// How often an hour is chosen: by customers who can wait, and in emergencies.
const HOURS: [i64; 24] = [
    2, 1, 1, 1, 1, 2, 4, 8, 15, 19, 20, 18, 14, 16, 17, 16, 14, 11, 8, 7, 6, 5, 4, 3,
];
const EMERGENCY_HOURS: [i64; 24] = [
    6, 5, 4, 4, 4, 5, 6, 7, 8, 8, 7, 7, 6, 6, 7, 8, 10, 12, 13, 12, 11, 10, 9, 8,
];

/// A request of the year.
pub(super) struct Planned<'a> {
    pub at: Time,
    pub kind: Kind<'a>,
    pub story: Story,
}

#[derive(Clone, Copy)]
pub(super) enum Kind<'a> {
    Quote {
        service: &'a Service,
        is_emergency: bool,
        by_phone: bool,
    },
    Message,
    Spam,
}

/// What becomes of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Story {
    /// What becomes of most: answered, offered, won or lost.
    Usual,
    /// Not answered until today.
    Waits,
    /// Its offer waits for the customer.
    OfferWaits,
    /// The customer asks something about the offer today.
    CustomerAsks,
    /// The customer accepts today, and no admin has confirmed it.
    Accepted,
}

/// What is asked for in requests whose offers are open today: each offer of this service can be
/// sent, while those of others depend on the weekday.
const OPEN_OFFERS: &str = "unarmed-security";
/// What is left to do today: minutes ago, story, whether it is an emergency.
const OF_TODAY: [(i64, Story, bool); 8] = [
    (10 * 24 * 60, Story::OfferWaits, false),
    (9 * 24 * 60 + 200, Story::OfferWaits, false),
    (4 * 24 * 60, Story::Accepted, false),
    (3 * 24 * 60, Story::CustomerAsks, false),
    (31 * 60, Story::Waits, false),
    (27 * 60, Story::Waits, false),
    (95, Story::Waits, false),
    (9, Story::Waits, true),
];

/// The days of the year that ends today, each with how busy it is in percent of the average: by
/// weekday, and as a company that grows.
fn days(today: Date) -> impl Iterator<Item = (Date, i64)> {
    (0..=DAYS).map(move |number| {
        let day = today.saturating_add((number - DAYS).days());
        let weekday = usize::try_from(day.weekday().to_monday_zero_offset()).unwrap_or_default();
        let growth = 86 + i64::from(number) * 28 / i64::from(DAYS);
        (day, WEEKDAYS[weekday] * growth / 100)
    })
}

/// All requests up to `now`, oldest first.
pub(super) fn requests<'a>(
    words: &'a Words,
    zone: &TimeZone,
    random: &mut Random,
    now: Time,
) -> Result<Vec<Planned<'a>>> {
    let mut all = Vec::new();
    for (day, busy) in days(zone.local(now).date()) {
        let mut kinds = Vec::new();
        for service in &words.services {
            for _ in 0..random.whole(service.of_month(day) * QUOTES * busy / 3000) {
                kinds.push(Kind::Quote {
                    service,
                    is_emergency: random.chance(service.emergency_percent),
                    by_phone: random.chance(14),
                });
            }
        }
        for (kind, thousandths) in [(Kind::Message, MESSAGES), (Kind::Spam, SPAM)] {
            kinds.extend((0..random.whole(thousandths * busy / 100)).map(|_| kind));
        }
        for kind in kinds {
            let at_any_hour = match kind {
                Kind::Quote { is_emergency, .. } => is_emergency,
                Kind::Message => false,
                Kind::Spam => true,
            };
            let hours = if at_any_hour { EMERGENCY_HOURS } else { HOURS };
            let hours: Vec<(u16, i64)> = (0..).zip(hours).collect();
            let hour = zone.at(day, random.of(&hours)? * 60);
            let at = hour.plus_millis(random.between(0, HOUR_MS - 1));
            let story = Story::Usual;
            all.push(Planned { at, kind, story });
        }
    }
    all.retain(|planned| planned.at < now);
    for (minutes, story, is_emergency) in OF_TODAY {
        let at = now.plus_millis(-minutes * MINUTE_MS);
        let day = zone.local(at).date();
        let service = random.weighted(&words.services, |service| {
            let fits = match is_emergency {
                true => service.emergency_percent > 50,
                false => service.service == OPEN_OFFERS,
            };
            if fits { service.of_month(day) } else { 0 }
        })?;
        let kind = Kind::Quote {
            service,
            is_emergency,
            by_phone: false,
        };
        all.push(Planned { at, kind, story });
    }
    all.sort_by_key(|planned| planned.at);
    Ok(all)
}

/// The views of each day.
pub(super) fn visits(words: &Words, random: &mut Random, today: Date) -> Result<Vec<Views>> {
    days(today)
        .map(|(day, busy)| views_of(words, random, day, busy))
        .collect()
}

fn views_of(words: &Words, random: &mut Random, day: Date, busy: i64) -> Result<Views> {
    let of_month: i64 = words.services.iter().map(|it| it.of_month(day)).sum();
    let visitors = VIEWS * busy * of_month / AVERAGE_MONTH / 100;
    let visitors = visitors * random.between(85, 115) / 100;
    let mut views = Views {
        day: day.to_string(),
        ..Views::default()
    };
    for _ in 0..visitors {
        let page = random.of(&words.pages)?;
        let source = if random.chance(26) {
            let campaign = words.campaign(random, day)?;
            *views.campaigns.entry(campaign.name.clone()).or_default() += 1;
            let is_ad = campaign.medium == "cpc";
            if is_ad { Source::Ad } else { Source::Email }
        } else if random.chance(30) {
            Source::Own
        } else {
            let host = Some(random.of(&words.referrers)?.as_str());
            Source::of_view("", host.filter(|host| !host.is_empty()), "own").0
        };
        add(&mut views.pages, page, source);
        if ["/quote", "/contact"].contains(&page.as_str()) && random.chance(16) {
            *views.forms.entry(page.clone()).or_default() += 1;
        }
    }
    for (percent, source) in OTHER_VIEWS {
        for _ in 0..visitors * percent / 100 {
            add(&mut views.pages, random.of(&words.pages)?, source);
        }
    }
    Ok(views)
}

fn add(pages: &mut HashMap<String, HashMap<Source, i64>>, page: &str, source: Source) {
    let sources = pages.entry(page.to_owned()).or_default();
    *sources.entry(source).or_default() += 1;
}
