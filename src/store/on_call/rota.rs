//! The rota as rows.

use rusqlite::{Connection, params};

use super::contacts;
use crate::accounts::roles;
use crate::database::row::{self, read_row};
use crate::{Result, Store, conflict, query};
use domain::clock::{DAY_MS, Time};
use domain::on_call::rota::{Override, Rota, Shift};

/// Overrides that ended longer ago than this are forgotten, in milliseconds.
const KEEP_MS: i64 = 90 * DAY_MS;

/// The rota as it is stored.
#[derive(Clone, Debug)]
pub struct StoredRota {
    /// Without people who are no staff any more.
    pub rota: Rota,
    /// The ids of its overrides, in their order.
    pub override_ids: Vec<i64>,
    /// Grows with each change of the shifts.
    pub version: i64,
    /// Part of the calendar's address.
    pub calendar: i64,
}

impl Store {
    /// The rota at `now`.
    pub async fn rota(&self, now: Time) -> Result<StoredRota> {
        self.read(move |conn| read(conn, now)).await
    }

    /// Replaces the shifts. Errors: `Conflict` if they were changed since `version`,
    /// or a person is no admin.
    pub async fn replace_shifts(&self, rota: Rota, version: i64, now: Time) -> Result<()> {
        self.write(move |conn| {
            let changed = conn.execute(
                "UPDATE rota SET weeks = ?1, first_day = ?2, version = version + 1
                 WHERE version = ?3",
                params![rota.weeks, rota.first_day.to_string(), version],
            )?;
            if changed == 0 {
                return conflict("Someone else has changed the on-call schedule. Load it again.");
            }
            conn.execute("DELETE FROM rota_shifts", [])?;
            for shift in &rota.shifts {
                contacts::require_staff(conn, &shift.person, now)?;
                let sql =
                    "INSERT INTO rota_shifts (user_id, week, weekday, from_minute, until_minute)
                    VALUES (?1, ?2, ?3, ?4, ?5)";
                let values = params![
                    shift.person,
                    shift.week,
                    shift.weekday,
                    shift.from,
                    shift.until
                ];
                query::execute(conn, sql, values)?;
            }
            Ok(())
        })
        .await
    }

    /// Adds overrides: one, or the two of a swap. Errors: `Conflict` if a person is no admin.
    pub async fn add_overrides(&self, overrides: Vec<Override>, now: Time) -> Result<()> {
        self.write(move |conn| {
            let old = now.plus_millis(-KEEP_MS).to_string();
            conn.execute("DELETE FROM rota_overrides WHERE until_at < ?1", [old])?;
            for it in &overrides {
                contacts::require_staff(conn, &it.person, now)?;
                conn.execute(
                    "INSERT INTO rota_overrides (user_id, from_at, until_at) VALUES (?1, ?2, ?3)",
                    [&it.person, &it.from.to_string(), &it.until.to_string()],
                )?;
            }
            Ok(())
        })
        .await
    }

    /// Removes an override. Errors: `Missing` for an unknown id.
    pub async fn remove_override(&self, id: i64) -> Result<()> {
        self.write(move |conn| {
            query::change(conn, "DELETE FROM rota_overrides WHERE id = ?1", [id])
        })
        .await
    }

    /// Gives the calendar another address.
    pub async fn renew_calendar(&self) -> Result<()> {
        self.write(|conn| query::run(conn, "UPDATE rota SET calendar = calendar + 1", []))
            .await
    }
}

/// The rota at `now`.
pub(crate) fn read(conn: &Connection, now: Time) -> Result<StoredRota> {
    let staff = roles::people(conn, now)?;
    let is_staff = |person: &String| staff.iter().any(|member| member.id == *person);
    let head = "SELECT weeks, first_day, version, calendar FROM rota";
    let (weeks, first_day, version, calendar) = conn.query_row(head, [], |found| {
        let day: String = found.get(1)?;
        Ok((found.get(0)?, day, found.get(2)?, found.get(3)?))
    })?;
    let sql = "SELECT user_id, week, weekday, from_minute, until_minute FROM rota_shifts
        ORDER BY position";
    let mut shifts: Vec<Shift> = query::all(conn, sql, [], |found| {
        read_row!(found => Shift {
            person: "user_id", week, weekday, from: "from_minute", until: "until_minute",
        })
    })?;
    shifts.retain(|shift| is_staff(&shift.person));
    let sql = "SELECT id, user_id, from_at, until_at FROM rota_overrides ORDER BY id DESC";
    let mut overrides: Vec<(i64, Override)> = query::all(conn, sql, [], |found| {
        let it = Override {
            person: found.get(1)?,
            from: row::column(found, "from_at")?,
            until: row::column(found, "until_at")?,
        };
        Ok((found.get(0)?, it))
    })?;
    overrides.retain(|(_, it)| is_staff(&it.person));
    let (override_ids, overrides) = overrides.into_iter().unzip();
    Ok(StoredRota {
        rota: Rota {
            weeks,
            first_day: first_day.parse().unwrap_or_default(),
            shifts,
            overrides,
        },
        override_ids,
        version,
        calendar,
    })
}
