//! What the desk and `guardpost check` should know of the alarms, a sentence each.

use rusqlite::Connection;

use super::alarms::{Alarm, read, select_alarms};
use super::rota;
use crate::database::row;
use crate::{Result, Store, query};
use domain::clock::local_time::long_time;
use domain::clock::time_zone::TimeZone;
use domain::clock::{DAY_MS, HOUR_MS, Time};
use domain::on_call::alarm::{AlarmRules, AlarmState};
use domain::on_call::bounds::{DAY_BOUND, FLOOD, PERSON_BOUND, TEST_WAIT_MS};
use domain::on_call::rota::Rota;
use domain::text::grouped::grouped;

/// How errors of the phone provider begin.
pub const PROVIDER: &str = "the phone provider";
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
    problems.extend(load_problems(conn, &rules.time_zone, now)?);
    let rota = rota::read(conn, now)?.rota;
    problems.extend(gap_problems(&rota, &rules.time_zone, rules.gap_ms, now));
    Ok(problems)
}

/// The gaps that begin within `gap_ms`, a sentence each.
pub fn gap_problems(rota: &Rota, zone: &TimeZone, gap_ms: i64, now: Time) -> Vec<String> {
    if rota.is_empty() {
        return Vec::new();
    }
    let (named, looked_at) = (
        now.plus_millis(gap_ms),
        now.plus_millis(gap_ms + LONGEST_MS),
    );
    let gaps = rota.gaps(zone, now, looked_at).into_iter();
    let gaps = gaps.filter(|(from, _)| *from < named);
    gaps.map(|(from, until)| {
        let from = (from > now).then(|| format!(" from {}", long_time(zone, from)));
        let until = (until < looked_at).then(|| format!(" until {}", long_time(zone, until)));
        format!(
            "Nobody is on call{}{}.",
            from.unwrap_or_default(),
            until.unwrap_or_default()
        )
    })
    .collect()
}

fn test_problem(conn: &Connection, rules: &AlarmRules, now: Time) -> Result<Option<String>> {
    Ok(missed_test(conn, now)?.map(|at| {
        let at = long_time(&rules.time_zone, at);
        format!("Nobody acknowledged the test alarm of {at}: an emergency may reach nobody.")
    }))
}

/// When the last test alarm was raised, if it was not acknowledged in time.
pub(crate) fn missed_test(conn: &Connection, now: Time) -> Result<Option<Time>> {
    let sql = select_alarms!("kind = 'test' AND about IS NULL ORDER BY id DESC LIMIT 1");
    let last = query::optional(conn, sql, [], read)?;
    let is_missed = |it: &Alarm| {
        it.state == AlarmState::Raised && it.created_at.plus_millis(TEST_WAIT_MS) <= now
    };
    Ok(last.filter(is_missed).map(|it| it.created_at))
}

/// A flood of emergencies, bounds that are reached, and a phone provider that refuses, a sentence
/// each.
pub(crate) fn load_problems(conn: &Connection, zone: &TimeZone, now: Time) -> Result<Vec<String>> {
    let mut problems: Vec<String> = flood(conn, now)?.into_iter().collect();
    problems.extend(reached_bounds(conn, zone, now)?);
    problems.extend(provider_problem(conn, now)?);
    Ok(problems)
}

/// Many emergencies within an hour, with what they have in common.
fn flood(conn: &Connection, now: Time) -> Result<Option<String>> {
    let hour_ago = now.plus_millis(-HOUR_MS);
    let count = "SELECT count(*) FROM alarms WHERE kind = 'emergency' AND created_at > ?1";
    let count: i64 = conn.query_row(count, [hour_ago.to_string()], |row| row.get(0))?;
    if count < FLOOD {
        return Ok(None);
    }
    let seqs = "SELECT seq FROM alarms WHERE kind = 'emergency' AND created_at > ?1";
    let (same, signals): (i64, i64) = conn.query_row(
        &format!(
            "SELECT coalesce(max(alike), 0), coalesce(sum(suspect), 0) FROM (
               SELECT count(*) AS alike, count(signals) AS suspect FROM requests
               WHERE seq IN ({seqs}) GROUP BY lower(description))"
        ),
        [hour_ago.to_string()],
        |row| row.try_into(),
    )?;
    let networks: i64 = conn.query_row(
        "SELECT count(DISTINCT client) FROM submissions WHERE form = 'quote' AND at > ?1
           AND reference IS NOT NULL",
        [hour_ago.millis()],
        |row| row.get(0),
    )?;
    Ok(Some(format!(
        "{} emergencies came in within an hour, from {} {}; {} of them say the same words, and {} \
         have signals of spam. One call names all that wait.",
        grouped(count),
        grouped(networks),
        if networks == 1 { "network" } else { "networks" },
        grouped(same),
        grouped(signals),
    )))
}

/// Calls and text messages that wait for a bound.
fn reached_bounds(conn: &Connection, zone: &TimeZone, now: Time) -> Result<Vec<String>> {
    let sql = "SELECT channel = 'call' AS is_call, last_error = ?2 AS is_of_person,
          iif(last_error = ?2, coalesce(email, ''), '') AS who, min(due_at) AS due_at
        FROM alarm_messages LEFT JOIN users ON users.id = user_id
        WHERE state = 'due' AND due_at > ?1 AND last_error IN (?2, ?3)
        GROUP BY channel, last_error, who ORDER BY last_error, who, channel";
    let values = [&now.to_string(), PERSON_BOUND, DAY_BOUND];
    query::all(conn, sql, values, |found| {
        let (is_call, who): (bool, String) = (found.get("is_call")?, found.get("who")?);
        let until = long_time(zone, row::column(found, "due_at")?);
        Ok(match found.get("is_of_person")? {
            true if is_call => format!(
                "{who} is not called until {until}: the bound for one person is reached. Pushes \
                 and emails go on."
            ),
            true => format!(
                "{who} gets no text message until {until}: the bound for one person is reached. \
                 Pushes and emails go on."
            ),
            false => format!(
                "No {} until {until}: the bound for a day is reached (`alarms.{}_per_day`). \
                 Pushes and emails go on.",
                if is_call { "calls" } else { "text messages" },
                if is_call { "calls" } else { "texts" }
            ),
        })
    })
}

/// Why the phone provider has not taken the last call or text message.
fn provider_problem(conn: &Connection, now: Time) -> Result<Option<String>> {
    let sql = "SELECT last_error FROM alarm_messages
        WHERE channel IN ('call', 'sms') AND named_at > ?1 AND named_by IS NULL
        ORDER BY named_at DESC, last_error IS NULL DESC LIMIT 1";
    let day_ago = now.plus_millis(-DAY_MS).to_string();
    let last = query::optional(conn, sql, [day_ago], |row| row.get::<_, Option<String>>(0))?;
    let refused = last.flatten();
    let refused = refused.filter(|error| error.starts_with(PROVIDER));
    Ok(refused.map(|error| format!("An alarm could not be told by phone: {error}.")))
}
