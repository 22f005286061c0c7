//! What the desk and `guardpost check` should know of the alarms, a sentence each.

use rusqlite::Connection;

use super::alarms::{Alarm, read, select_alarms};
use super::rota;
use crate::domain::clock::local_time::long_time;
use crate::domain::clock::{DAY_MS, Time};
use crate::domain::on_call::alarm::{AlarmRules, TEST_WAIT_MS};
use crate::store::{Result, Store};

/// How long a gap may be to have its end named, in milliseconds: four weeks.
const LONGEST_MS: i64 = 28 * DAY_MS;

impl Store {
    /// The problems at `now`: an unacknowledged test, and gaps in the rota.
    pub async fn alarm_problems(&self, rules: AlarmRules, now: Time) -> Result<Vec<String>> {
        self.read(move |conn| problems(conn, &rules, now)).await
    }
}

fn problems(conn: &Connection, rules: &AlarmRules, now: Time) -> Result<Vec<String>> {
    let mut problems: Vec<String> = test_problem(conn, rules, now)?.into_iter().collect();
    let rota = rota::read(conn, now)?.rota;
    if rota.is_empty() {
        return Ok(problems);
    }
    let zone = &rules.time_zone;
    let (named, looked_at) = (
        now.plus_millis(rules.gap_ms),
        now.plus_millis(rules.gap_ms + LONGEST_MS),
    );
    let gaps = rota.gaps(zone, now, looked_at).into_iter();
    for (from, until) in gaps.filter(|(from, _)| *from < named) {
        let from = (from > now).then(|| format!(" from {}", long_time(zone, from)));
        let until = (until < looked_at).then(|| format!(" until {}", long_time(zone, until)));
        problems.push(format!(
            "Nobody is on call{}{}.",
            from.unwrap_or_default(),
            until.unwrap_or_default()
        ));
    }
    Ok(problems)
}

fn test_problem(conn: &Connection, rules: &AlarmRules, now: Time) -> Result<Option<String>> {
    Ok(missed_test(conn, now)?.map(|at| {
        let at = long_time(&rules.time_zone, at);
        format!("Nobody acknowledged the test alarm of {at}: an emergency may reach nobody.")
    }))
}

/// When the last test alarm was raised, if it was not acknowledged in time.
pub(in crate::store) fn missed_test(conn: &Connection, now: Time) -> Result<Option<Time>> {
    let sql = select_alarms!("kind = 'test' ORDER BY id DESC LIMIT 1");
    let mut find = conn.prepare_cached(sql)?;
    let last = find.query_map([], read)?.next().transpose()?;
    let is_missed =
        |it: &Alarm| it.state == "raised" && it.created_at.plus_millis(TEST_WAIT_MS) <= now;
    Ok(last.filter(is_missed).map(|it| it.created_at))
}
