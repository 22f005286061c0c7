//! Who asks in the year and who looks at the site, day by day.

use jiff::ToSpan;
use jiff::civil::Date;

use super::words::Course;
use super::{DAYS, Year};
use domain::clock::{MINUTE_MS, Time};
use domain::figures::source::Source;
use domain::request::attribution::Attribution;
use store::figures::views::Views;

/// Views on an average day, of visitors, programs and the office.
const VIEWS: i64 = 296;

impl Year<'_> {
    /// The days of the year, each with how busy it is in percent of the average: by weekday, and as
    /// a company that grows.
    fn days(&self) -> Vec<(Date, i64)> {
        let today = self.zone.local(self.until).date();
        let days = (0..=DAYS).map(|number| {
            let day = today.saturating_add((number - DAYS).days());
            let weekday = usize::try_from(day.weekday().to_monday_zero_offset());
            let growth = 86 + number * 28 / DAYS;
            (
                day,
                self.words.weekdays[weekday.unwrap_or(0)] * growth / 100,
            )
        });
        days.collect()
    }

    /// The views of each day.
    pub(super) fn views(&mut self) -> Vec<Views> {
        let mut all = Vec::new();
        for (day, busy) in self.days() {
            let mut views = Views {
                day: day.to_string(),
                ..Views::default()
            };
            for _ in 0..VIEWS * busy / 100 {
                let (visit, drawn) = (self.visit(day), self.random.between(0, 99));
                let source = match drawn {
                    0..27 => Source::Robot,
                    27..29 => Source::Office,
                    29..45 => Source::Own,
                    _ => Source::of_attribution(visit.as_ref()),
                };
                let page = self.random.of(&self.words.pages);
                let of_page = views.pages.entry(page.clone()).or_default();
                *of_page.entry(source).or_default() += 1;
                let campaign = visit.and_then(|visit| visit.utm_campaign);
                if let Some(name) = campaign.filter(|_| drawn >= 45) {
                    *views.campaigns.entry(name).or_default() += 1;
                }
                let is_form = drawn >= 29 && ["/quote", "/contact"].contains(&page.as_str());
                if is_form && self.random.chance(16) {
                    *views.forms.entry(page.clone()).or_default() += 1;
                }
            }
            all.push(views);
        }
        all
    }

    /// How a visit came to the site: nothing in a few cases, as of browsers that send nothing.
    pub(super) fn visit(&mut self, day: Date) -> Option<Attribution> {
        let (words, random) = (self.words, &mut self.random);
        let mut from = Attribution {
            landing: Some(random.of(&words.pages).clone()),
            ..Attribution::default()
        };
        let (name, medium, first, last) = random.of(&words.campaigns);
        if (*first..=*last).contains(&day.month()) && random.chance(32) {
            from.utm_medium = Some(medium.clone());
            from.utm_campaign = Some(name.clone());
            let click = format!("demo-{}", random.between(100_000, 999_999));
            from.gclid = Some(click).filter(|_| medium == "cpc");
        } else {
            let host = random.of(&words.referrers).clone();
            from.referrer_host = Some(host).filter(|host| !host.is_empty());
        }
        Some(from).filter(|_| !random.chance(6))
    }

    /// The times and courses of all requests up to the end, oldest first.
    pub(super) fn plan(&mut self) -> Vec<(Time, Course)> {
        let words = self.words;
        let today = words.today.iter();
        let mut all: Vec<_> = today
            .map(|(ago, course)| (self.until.plus_millis(-ago * MINUTE_MS), course.clone()))
            .collect();
        for (day, busy) in self.days() {
            // Three on an average day.
            for _ in 0..self.random.between(15, 2 * busy) / 30 {
                let minute = self.random.of(&words.hours) * 60 + self.random.0.u16(..60);
                let course = self.random.of(&words.courses).clone();
                all.push((self.zone.at(day, minute), course));
            }
        }
        all.sort_by_key(|(at, _)| *at);
        all
    }
}
