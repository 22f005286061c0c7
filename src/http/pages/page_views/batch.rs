//! Views by day, until they are stored.

use domain::clock::Time;
use domain::clock::time_zone::TimeZone;
use store::figures::views::Views;

/// The views of the current day, and those of days before it.
#[derive(Default)]
pub(super) struct Batch {
    views: Views,
    /// The current day begins and ends at these times.
    from: Time,
    until: Time,
    others: Vec<Views>,
}

impl Batch {
    /// The views of the day of `now`.
    pub(super) fn at(&mut self, now: Time, zone: &TimeZone) -> &mut Views {
        if now < self.from || now >= self.until {
            self.set_aside();
            self.views.day = zone.format(now, "%F");
            self.from = zone.start_of_day(&self.views.day).unwrap_or(now);
            self.until = zone.end_of_day(&self.views.day).unwrap_or(now);
        }
        &mut self.views
    }

    /// Takes all views.
    pub(super) fn take(&mut self) -> Vec<Views> {
        self.set_aside();
        std::mem::take(&mut self.others)
    }

    /// Adds views that could not be stored.
    pub(super) fn put_back(&mut self, days: Vec<Views>) {
        for day in days {
            match self.others.iter_mut().find(|other| other.day == day.day) {
                Some(other) => other.add(day),
                None => self.others.push(day),
            }
        }
    }

    fn set_aside(&mut self) {
        let day = self.views.day.clone();
        let views = std::mem::replace(
            &mut self.views,
            Views {
                day,
                ..Views::default()
            },
        );
        if !views.is_empty() {
            self.put_back(vec![views]);
        }
    }
}
