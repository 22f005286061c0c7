//! Which backups are kept: of those by schedule, the newest of each of the last days, weeks and
//! months with a backup, and of each of the last hours; each one by hand for seven days.

use std::collections::BTreeSet;

use anyhow::Result;
use jiff::civil::Date;

use super::place::list::{Entry, list};
use super::sealing::opening::Opening;
use super::{Manifest, Place};
use domain::clock::{DAY_MS, HOUR_MS, Time};

/// Days for which a backup by hand is kept.
const BY_HAND_DAYS: i64 = 7;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Hours before the newest backup in which the newest of each hour is kept.
    pub hours: u32,
    /// Number of days of which the newest backup is kept.
    pub days: u32,
    /// Number of weeks (from Monday) of which the newest backup is kept.
    pub weeks: u32,
    /// Number of months of which the newest backup is kept.
    pub months: u32,
}

impl Default for Keep {
    fn default() -> Self {
        Self {
            hours: 24,
            days: 7,
            weeks: 4,
            months: 6,
        }
    }
}

/// Deletes the backups in `place` that `keep` does not select; returns them. The newest one and
/// those whose manifest cannot be read are always kept. Backups that cannot be verified with
/// `opening`, and those by hand, do not count towards the numbers to keep. Fails if the place
/// cannot be read, or a backup not deleted.
pub fn prune<'a>(
    place: &Place,
    keep: Keep,
    opening: impl Into<Opening<'a>>,
    now: Time,
) -> Result<Vec<Place>> {
    let opening = opening.into();
    let mut listed: Vec<_> = list(place)?.into_iter().rev().collect();
    let mut deleted = prune_by_hand(&mut listed, now)?;
    let listed = listed.into_iter();
    let backups: Vec<(Time, Place, bool)> = listed
        .filter_map(|(place, entry)| {
            let is_verified = Manifest::read(&place, opening).is_ok();
            Some((entry.ok()?.created_at()?, place, is_verified))
        })
        .collect();
    let times = |verified_only: bool| -> Vec<Time> {
        let chosen = backups.iter().filter(|(_, _, ok)| *ok || !verified_only);
        chosen.map(|(at, _, _)| *at).collect()
    };
    let (kept_verified, kept_all) = (kept(&times(true), keep), kept(&times(false), keep));
    for (at, backup, is_verified) in backups {
        let kept = if is_verified {
            &kept_verified
        } else {
            &kept_all
        };
        if kept.contains(&at.millis()) {
            continue;
        }
        backup.remove()?;
        deleted.push(backup);
    }
    Ok(deleted)
}

/// Takes those by hand out of the list, which begins with the newest backup; deletes and returns
/// the ones that are older than seven days, but not the newest of all.
fn prune_by_hand(newest_first: &mut Vec<(Place, Result<Entry>)>, now: Time) -> Result<Vec<Place>> {
    let mut deleted = Vec::new();
    let mut is_newest = true;
    let all = std::mem::take(newest_first);
    for (place, entry) in all {
        let is_first = std::mem::replace(&mut is_newest, false);
        let by_hand = entry.as_ref().ok().filter(|entry| entry.manifest.by_hand);
        let Some(at) = by_hand.map(Entry::created_at) else {
            newest_first.push((place, entry));
            continue;
        };
        let is_over = |at: Time| now.millis() - at.millis() > BY_HAND_DAYS * DAY_MS;
        if !is_first && at.is_some_and(is_over) {
            place.remove()?;
            deleted.push(place);
        }
    }
    Ok(deleted)
}

/// The times of the backups to keep, of those at `newest_first`.
fn kept(newest_first: &[Time], keep: Keep) -> BTreeSet<i64> {
    let Some(newest) = newest_first.first().map(|at| at.millis()) else {
        return BTreeSet::new();
    };
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
    let mut kept = BTreeSet::from([newest]);
    for (count, period) in periods {
        let mut seen = BTreeSet::new();
        for at in newest_first {
            let Ok(day) = at.day().parse() else { continue };
            if seen.len() < count as usize && seen.insert(period(day)) {
                kept.insert(at.millis());
            }
        }
    }
    let mut hours = BTreeSet::new();
    for at in newest_first.iter().map(|at| at.millis()) {
        let is_recent = newest.abs_diff(at) < u64::from(keep.hours) * HOUR_MS.unsigned_abs();
        if is_recent && hours.insert(at.div_euclid(HOUR_MS)) {
            kept.insert(at);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn keep(hours: u32, days: u32, weeks: u32, months: u32) -> Keep {
        Keep {
            hours,
            days,
            weeks,
            months,
        }
    }

    #[test]
    fn the_newest_backup_of_each_day_week_and_month_is_kept() {
        let wanted = keep(0, 3, 2, 3);
        // Twice a day from September 1 to November 22, a Sunday.
        let first = Time::parse("2026-09-01T06:00:00Z").unwrap();
        let times: Vec<_> = (0..165)
            .map(|n| first.plus_seconds(n * 12 * 3600))
            .collect();
        let times: Vec<_> = times.into_iter().rev().collect();
        let kept: Vec<_> = kept(&times, wanted)
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
        let none = keep(0, 0, 0, 0);
        let at = Time::parse("2026-11-22T06:00:00Z").unwrap();
        assert_eq!(kept(&[at, at.plus_seconds(-1)], none).len(), 1);
    }

    #[test]
    fn a_backup_of_a_clock_in_the_future_is_one_day_of_those_kept() {
        let at = |text| Time::parse(text).unwrap();
        let newest_first = [
            at("2026-11-22T06:00:00Z"),
            at("2031-01-01T00:00:00Z"),
            at("2026-11-21T03:00:00Z"),
            at("2026-11-20T03:00:00Z"),
        ];
        let kept = kept(&newest_first, keep(24, 2, 0, 0));
        assert!(kept.contains(&newest_first[0].millis()));
        assert!(!kept.contains(&newest_first[3].millis()));
    }
}
