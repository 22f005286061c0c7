//! Who asks in the year, and who looks at the site, day by day.

use std::collections::HashMap;

use anyhow::{Context, Result};
use jiff::ToSpan;
use jiff::civil::Date;

use super::words::{Random, Service, Story, Words};
use domain::clock::time_zone::TimeZone;
use domain::clock::{HOUR_MS, MINUTE_MS, Time};
use domain::figures::source::Source;
use store::figures::views::Views;

/// Days before today on which the year begins.
pub(super) const DAYS: i32 = 364;
/// Of a thousand quote requests that the months of the seed count.
const QUOTES: i64 = 600;
/// Messages and spam of a day, in thousandths.
const OTHERS: [(Kind<'_>, i64); 2] = [(Kind::Message, 450), (Kind::Spam, 260)];
/// Views of visitors on an average day, and requests of an average month in the seed.
const VIEWS: i64 = 210;
const AVERAGE_MONTH: i64 = 110;
/// Views by programs and by the office, in percent of those of visitors.
const OTHER_VIEWS: [(i64, Source); 2] = [(38, Source::Robot), (3, Source::Office)];

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

impl Kind<'_> {
    pub(super) fn is_emergency(&self) -> bool {
        matches!(
            self,
            Self::Quote {
                is_emergency: true,
                ..
            }
        )
    }
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

/// All requests up to `now`, oldest first.
pub(super) fn requests<'a>(
    words: &'a Words,
    zone: &TimeZone,
    random: &mut Random,
    now: Time,
) -> Result<Vec<Planned<'a>>> {
    let mut all = Vec::new();
    for (day, busy) in days(words, zone.local(now).date()) {
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
        for (kind, thousandths) in OTHERS {
            kinds.extend((0..random.whole(thousandths * busy / 100)).map(|_| kind));
        }
        for kind in kinds {
            let [in_the_day, at_any_hour] = &words.hours;
            let is_spam = matches!(kind, Kind::Spam);
            let hours = if kind.is_emergency() || is_spam {
                at_any_hour
            } else {
                in_the_day
            };
            let hour = zone.at(day, random.of(hours)? * 60);
            let at = hour.plus_millis(random.between(0, HOUR_MS - 1));
            let story = Story::Usual;
            all.push(Planned { at, kind, story });
        }
    }
    all.retain(|planned| planned.at < now);
    for left in &words.today {
        let mut services = words.services.iter();
        let service = services.find(|service| service.service == left.service);
        all.push(Planned {
            at: now.plus_millis(-left.minutes_ago * MINUTE_MS),
            kind: Kind::Quote {
                service: service.context("a service of today is unknown")?,
                is_emergency: left.is_emergency,
                by_phone: false,
            },
            story: left.story,
        });
    }
    all.sort_by_key(|planned| planned.at);
    Ok(all)
}

/// The views of each day.
pub(super) fn visits(words: &Words, random: &mut Random, today: Date) -> Result<Vec<Views>> {
    days(words, today)
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
