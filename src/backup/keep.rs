//! Which backups are kept: the newest of each of the last days, weeks and months that have one.

use std::collections::BTreeSet;

use anyhow::Result;
use jiff::civil::Date;

use super::Place;
use super::list::list;
use crate::domain::clock::Time;

/// How many backups to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Days of which the newest backup is kept.
    pub days: u32,
    /// Weeks (from Monday) of which the newest backup is kept.
    pub weeks: u32,
    /// Months of which the newest backup is kept.
    pub months: u32,
}

/// Deletes the backups in `place` that `keep` does not name; returns them. The newest one
/// and those whose manifest cannot be read always stay.
///
/// # Errors
/// If the place cannot be read, or a backup not deleted.
pub fn prune(place: &Place, keep: Keep) -> Result<Vec<Place>> {
    let times: Vec<(Time, Place)> = list(place)?
        .into_iter()
        .filter_map(|(place, entry)| Some((entry.ok()?.created_at()?, place)))
        .collect();
    let kept = kept(times.iter().map(|(at, _)| *at), keep);
    let mut deleted = Vec::new();
    for (at, backup) in times {
        if kept.contains(&at.millis()) {
            continue;
        }
        backup.remove()?;
        deleted.push(backup);
    }
    Ok(deleted)
}

/// The times of the backups to keep, of those at `times`.
fn kept(times: impl Iterator<Item = Time>, keep: Keep) -> BTreeSet<i64> {
    let mut newest_first: Vec<Time> = times.collect();
    newest_first.sort_by_key(|at| std::cmp::Reverse(at.millis()));
    let mut kept: BTreeSet<i64> = newest_first
        .first()
        .map(|at| at.millis())
        .into_iter()
        .collect();
    let week = |day: Date| {
        let week = day.iso_week_date();
        format!("{}-{:02}", week.year(), week.week())
    };
    let periods: [(u32, &dyn Fn(Date) -> String); 3] = [
        (keep.days, &|day| day.to_string()),
        (keep.weeks, &week),
        (keep.months, &|day| {
            format!("{}-{:02}", day.year(), day.month())
        }),
    ];
    for (count, period) in periods {
        let mut seen = BTreeSet::new();
        for at in &newest_first {
            let Ok(day) = at.day().parse() else { continue };
            if seen.len() < count as usize && seen.insert(period(day)) {
                kept.insert(at.millis());
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_backup_of_each_day_week_and_month_is_kept() {
        let keep = Keep {
            days: 3,
            weeks: 2,
            months: 3,
        };
        // Twice a day from September 1 to November 22, a Sunday.
        let first = Time::parse("2026-09-01T06:00:00Z").unwrap();
        let times: Vec<_> = (0..165)
            .map(|n| first.plus_seconds(n * 12 * 3600))
            .collect();
        let kept: Vec<_> = kept(times.iter().copied(), keep)
            .into_iter()
            .map(|at| Time::from_millis(at).to_string()[..13].to_owned())
            .collect();
        assert_eq!(
            kept,
            [
                "2026-09-30T18",
                "2026-10-31T18",
                "2026-11-15T18",
                "2026-11-20T18",
                "2026-11-21T18",
                "2026-11-22T06"
            ]
        );
    }

    #[test]
    fn the_newest_backup_is_kept_even_if_nothing_is_to_be_kept() {
        let none = Keep {
            days: 0,
            weeks: 0,
            months: 0,
        };
        let at = Time::parse("2026-11-22T06:00:00Z").unwrap();
        assert_eq!(kept([at, at.plus_seconds(-1)].into_iter(), none).len(), 1);
    }
}
