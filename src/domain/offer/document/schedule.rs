//! Posts and their schedules in words.

use std::collections::BTreeMap;

use super::types::Document;
use super::words::{date, days, listed, sentence, time};
use crate::offer::lines::counted;
use crate::offer::terms::{
    AroundTheClock, Post, Schedule, SingleShifts, Terms, Visits, WeeklyShift,
};
use crate::us_state;

/// When a post is staffed, one entry for each line.
pub fn schedule(schedule: &Schedule) -> Vec<String> {
    match schedule {
        Schedule::Always(AroundTheClock { from }) => {
            let change = time(*from);
            vec![format!(
                "24 hours a day, 7 days a week, from {change} on the first day"
            )]
        }
        Schedule::Weekly(of) => of.shifts.iter().map(|it| sentence(&weekly(it))).collect(),
        Schedule::Single(of) => of
            .shifts
            .iter()
            .map(|shift| {
                let day = shift.date.0.strftime("%a");
                let hours = format!("{} to {}", time(shift.from), time(shift.to));
                format!("{day}, {}, {hours}", date(shift.date.0))
            })
            .collect(),
        Schedule::Visits(Visits { days: of, per_day }) => {
            let visits = counted(i64::from(*per_day), "visit");
            match days(of).as_str() {
                "every day" => vec![format!("{visits} every day")],
                on => vec![format!("{visits} a day, {on}")],
            }
        }
    }
}

/// The schedule in a few words, for a sentence: as `24 hours a day`.
pub fn brief(of: &Schedule) -> String {
    match of {
        Schedule::Always(_) => "24 hours a day".to_owned(),
        Schedule::Single(SingleShifts { shifts }) if shifts.len() > 1 => {
            counted(i64::try_from(shifts.len()).unwrap_or(i64::MAX), "shift")
        }
        Schedule::Weekly(of) => match of.shifts.as_slice() {
            [one] => weekly(one),
            _ => "on a weekly schedule".to_owned(),
        },
        other => {
            let lines = schedule(other);
            lines.into_iter().next().unwrap_or_default()
        }
    }
}

/// A shift as `Monday to Friday, 7:00 AM to 7:00 PM`.
fn weekly(shift: &WeeklyShift) -> String {
    let (from, to) = (time(shift.from), time(shift.to));
    match (shift.from.0, shift.to.0) {
        (0, 0) => format!("{}, 24 hours", days(&shift.days)),
        _ => format!("{}, {from} to {to}", days(&shift.days)),
    }
}

/// What staffs a post and when, as `Fire watch officer, 24 hours a day, 7 days`; an ongoing service
/// has no days. `titles` are those of the classes.
pub fn staffed(terms: &Terms, post: &Post, titles: &BTreeMap<String, String>) -> String {
    let (staff, brief) = (staff(post, titles), brief(&post.schedule));
    let is_dated = matches!(post.schedule, Schedule::Single(_));
    let Some(days) = terms.days().filter(|_| !is_dated) else {
        return format!("{staff}, {brief}");
    };
    format!("{staff}, {brief}, {}", counted(days, "day"))
}

/// Who staffs a post, as `2 × Fire watch officer`.
fn staff(post: &Post, titles: &BTreeMap<String, String>) -> String {
    let title = titles.get(&post.class).unwrap_or(&post.class);
    match post.officers {
        1 => title.clone(),
        officers => format!("{officers} × {title}"),
    }
}

impl Document {
    /// Who staffs a post, as `2 × Fire watch officer`.
    pub(super) fn staff(&self, post: &Post) -> String {
        staff(post, &self.class_titles)
    }

    /// The equipment of a post, as `Vehicle and Radio`; empty if there is none.
    pub(super) fn equipment(&self, post: &Post) -> String {
        let titles = post.equipment.iter().map(|key| {
            let title = self.equipment_titles.get(key);
            title.unwrap_or(key).clone()
        });
        listed(&titles.collect::<Vec<_>>())
    }
}

/// Where a post is, as `Houston, TX`, or `Texas` without a city.
pub fn place(post: &Post) -> String {
    match post.city.trim() {
        "" => us_state::title(&post.state).unwrap_or_else(|| post.state.clone()),
        city => format!("{city}, {}", post.state),
    }
}
