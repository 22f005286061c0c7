//! Reads the sums of a period.

use rusqlite::Connection;

use super::time_zone::stored_zone;
use super::{kept, offers, requests};
use crate::{Result, Store, query};
use domain::figures::period::{Days, Period};
use domain::figures::source::Source;
use domain::figures::sums::{Count, Sums};
use domain::figures::tables::Figures;

impl Store {
    /// The figures of a period and of the one before.
    pub async fn figures(&self, period: Period) -> Result<Figures> {
        self.read(move |conn| {
            Ok(Figures {
                period,
                now: sums(conn, period.days)?,
                before: sums(conn, period.before)?,
            })
        })
        .await
    }
}

fn sums(conn: &Connection, days: Days) -> Result<Sums> {
    let mut sums = Sums::default();
    let zone = stored_zone(conn)?;
    let times = zone.day(days.from).start..zone.day(days.to).end;
    let mut add = |count: Count<'_>, number| sums.add(count, number);
    requests::count_in(conn, &zone, &times, &mut add)?;
    offers::count_in(conn, &zone, &times, &mut add)?;
    kept::add_days(conn, days, &mut add)?;
    add_views(conn, days, &mut sums)?;
    add_campaigns(conn, days, &mut sums)?;
    add_forms(conn, days, &mut sums)?;
    let people: Vec<String> = sums.values("person").map(str::to_owned).collect();
    let sql = "SELECT coalesce(nullif(display_name, ''), email) FROM users WHERE id = ?1";
    for id in people {
        if let Some(name) = query::optional(conn, sql, [&id], |row| row.get(0))? {
            sums.names.insert(id, name);
        }
    }
    Ok(sums)
}

fn add_views(conn: &Connection, days: Days, sums: &mut Sums) -> Result<()> {
    let sql = "SELECT day, page, source, views FROM page_views WHERE day BETWEEN ?1 AND ?2";
    each(conn, sql, days, |day, [page, source], views| {
        let is_visitor = Source::ALL
            .iter()
            .any(|it| it.as_str() == source && it.is_visitor());
        let mut add = |dimension, measure, value| {
            sums.add([day, dimension, measure, value], views);
        };
        add("page", source, page);
        add("view_source", "views", source);
        match source {
            _ if is_visitor => {
                add("all", "views", "");
                add("page", "views", page);
            }
            "robot" => add("all", "robot_views", ""),
            _ => add("all", "office_views", ""),
        }
    })
}

fn add_campaigns(conn: &Connection, days: Days, sums: &mut Sums) -> Result<()> {
    let sql = "SELECT day, campaign, '', views FROM campaign_views WHERE day BETWEEN ?1 AND ?2";
    each(conn, sql, days, |day, [campaign, _], views| {
        sums.add([day, "campaign", "views", campaign], views);
    })
}

fn add_forms(conn: &Connection, days: Days, sums: &mut Sums) -> Result<()> {
    let sql = "SELECT day, page, '', begun FROM forms_begun WHERE day BETWEEN ?1 AND ?2";
    each(conn, sql, days, |day, [page, _], begun| {
        sums.add([day, "all", "forms_begun", ""], begun);
        sums.add([day, "page", "begun", page], begun);
    })
}

/// Calls `add` with each row of day, two texts and a number.
fn each(
    conn: &Connection,
    sql: &str,
    days: Days,
    mut add: impl FnMut(&str, [&str; 2], i64),
) -> Result<()> {
    let days = [days.from.to_string(), days.to.to_string()];
    query::each(conn, sql, days, |row| {
        let text = |column: usize| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
        add(text(0)?, [text(1)?, text(2)?], row.get(3)?);
        Ok(())
    })
}
