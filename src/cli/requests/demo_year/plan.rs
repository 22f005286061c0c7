//! Who asks in the year: each request with its time, from the first day on.

use anyhow::Result;
use jiff::ToSpan;
use jiff::civil::Date;

use super::customers::Customers;
use super::random::Random;
use super::words::{Service, Words};
use domain::clock::time_zone::TimeZone;
use domain::clock::{HOUR_MS, MINUTE_MS, Time};
use domain::request::contact::NewContact;
use domain::request::quote::NewQuote;

/// Days before today on which the year begins.
pub(super) const DAYS: i32 = 364;
/// Of a thousand quote requests that the months of the seed count.
const QUOTES: i64 = 600;
/// Messages and spam of a day, in thousandths.
const MESSAGES: i64 = 450;
const SPAM: i64 = 260;
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
pub(super) struct Planned {
    pub at: Time,
    pub form: Form,
    pub story: Story,
}

/// What is filled in.
pub(super) enum Form {
    Quote(NewQuote),
    Phone(NewQuote),
    Message(NewContact),
    Spam(NewContact),
}

/// What becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Plans the requests.
pub(super) struct Planner<'a> {
    pub words: &'a Words,
    pub zone: &'a TimeZone,
    pub random: Random,
    pub customers: Customers<'a>,
}

/// The day `number` of the year that ends today.
pub(super) fn day(today: Date, number: i32) -> Date {
    today.saturating_add((number - DAYS).days())
}

/// How busy a day is, in percent of the average: weekdays, and a company that grows.
pub(super) fn busy_percent(day: Date, number: i32) -> i64 {
    let weekday = usize::try_from(day.weekday().to_monday_zero_offset()).unwrap_or_default();
    let weekday = WEEKDAYS.get(weekday).copied().unwrap_or(100);
    weekday * (86 + i64::from(number) * 28 / i64::from(DAYS)) / 100
}

impl<'a> Planner<'a> {
    /// All requests up to `now`, oldest first.
    pub(super) fn plan(&mut self, now: Time) -> Result<Vec<Planned>> {
        let today = self.zone.local(now).date();
        let mut all = Vec::new();
        for number in 0..=DAYS {
            self.plan_day(day(today, number), number, &mut all)?;
        }
        all.retain(|planned| planned.at < now);
        for (minutes, story, is_emergency) in OF_TODAY {
            let at = now.plus_millis(-minutes * MINUTE_MS);
            let month = month_of(self.zone.local(at).date());
            let services = self.words.services.iter();
            let services: Vec<&Service> = services
                .filter(|service| is_emergency == (service.emergency_percent > 50))
                .collect();
            let service = self
                .random
                .weighted(&services, |service| service.months[month])?;
            let form = Form::Quote(self.quote(at, service, is_emergency)?);
            all.push(Planned { at, form, story });
        }
        all.sort_by_key(|planned| planned.at);
        Ok(all)
    }

    fn plan_day(&mut self, day: Date, number: i32, all: &mut Vec<Planned>) -> Result<()> {
        let (words, busy) = (self.words, busy_percent(day, number));
        let story = Story::Usual;
        for service in &words.services {
            let of_month = service.months[month_of(day)];
            for _ in 0..self.random.whole(of_month * QUOTES * busy / 3000) {
                let is_emergency = self.random.chance(service.emergency_percent);
                let at = self.time_of(day, is_emergency)?;
                let quote = self.quote(at, service, is_emergency)?;
                let form = match self.random.chance(14) {
                    true => Form::Phone(NewQuote {
                        attribution: None,
                        ..quote
                    }),
                    false => Form::Quote(quote),
                };
                all.push(Planned { at, form, story });
            }
        }
        for _ in 0..self.random.whole(MESSAGES * busy / 100) {
            let at = self.time_of(day, false)?;
            let form = Form::Message(self.customers.message(&mut self.random, day)?);
            all.push(Planned { at, form, story });
        }
        for _ in 0..self.random.whole(SPAM * busy / 100) {
            let at = self.time_of(day, true)?;
            let form = Form::Spam(self.customers.spam(&mut self.random)?);
            all.push(Planned { at, form, story });
        }
        Ok(())
    }

    fn quote(&mut self, at: Time, service: &Service, is_emergency: bool) -> Result<NewQuote> {
        let day = self.zone.local(at).date();
        self.customers
            .quote(&mut self.random, day, service, is_emergency)
    }

    fn time_of(&mut self, day: Date, is_emergency: bool) -> Result<Time> {
        let hours = if is_emergency { EMERGENCY_HOURS } else { HOURS };
        let hours: Vec<(i64, u16)> = hours.into_iter().zip(0..).collect();
        let (_, hour) = self.random.weighted(&hours, |(share, _)| *share)?;
        let within = self.random.between(0, HOUR_MS - 1);
        Ok(self.zone.at(day, hour * 60).plus_millis(within))
    }
}

/// 0 for January.
pub(super) fn month_of(day: Date) -> usize {
    usize::try_from(day.month() - 1).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::form::Forms;

    #[test]
    fn the_year_has_seasons_weekdays_and_work_of_today_and_is_the_same_each_time() {
        let (words, forms) = (Words::bundled().unwrap(), Forms::bundled().unwrap());
        let zone = TimeZone::parse("America/Chicago").unwrap();
        let now = Time::parse("2026-11-27T18:00:00Z").unwrap();
        let plan = || {
            let mut planner = Planner {
                words: &words,
                zone: &zone,
                random: Random::new(1),
                customers: Customers::new(&words, &forms),
            };
            planner.plan(now).unwrap()
        };
        let planned = plan();
        let days = |planned: &[Planned]| -> Vec<Date> {
            let days = planned.iter();
            days.map(|it| zone.local(it.at).date()).collect()
        };
        let all = days(&planned);
        assert_eq!(all, days(&plan()));
        assert!((800..1300).contains(&all.len()), "{}", all.len());
        assert!(planned.iter().all(|it| it.at < now));
        assert!(planned.is_sorted_by_key(|it| it.at));
        let count = |is: &dyn Fn(&Date) -> bool| all.iter().filter(|day| is(day)).count();
        let of_weekday = |weekday| count(&|day| day.weekday().to_monday_zero_offset() == weekday);
        assert!(of_weekday(1) > 2 * of_weekday(6) - 10, "weekends are calm");
        for month in 1..=12 {
            assert!(count(&|day| day.month() == month) > 40, "{month}");
        }
        let left = planned.iter().filter(|it| it.story != Story::Usual).count();
        assert_eq!(left, OF_TODAY.len());
    }
}
