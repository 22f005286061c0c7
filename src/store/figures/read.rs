//! Reads the sums of a period.

use jiff::civil::Date;
use rusqlite::{Connection, params};

use super::day::counts_of;
use super::time_zone::stored_zone;
use crate::{Result, Store};
use domain::figures::period::{Days, Period};
use domain::figures::source::Source;
use domain::figures::sums::{Count, Sums};
use domain::figures::tables::Figures;

impl Store {
    /// The figures of a period and of the one before. Days that have changed are counted first.
    pub async fn figures(&self, period: Period) -> Result<Figures> {
        self.refresh_figures().await?;
        self.figures_by(period, add_counted).await
    }

    /// The figures of a period, counted anew from all rows: `figures` must return the same.
    pub async fn recount_figures(&self, period: Period) -> Result<Figures> {
        self.figures_by(period, recount).await
    }

    async fn figures_by(&self, period: Period, add: AddDays) -> Result<Figures> {
        self.read(move |conn| {
            Ok(Figures {
                period,
                now: sums(conn, period.days, add)?,
                before: sums(conn, period.before, add)?,
            })
        })
        .await
    }
}

type AddDays = fn(&Connection, Days, &mut Sums) -> Result<()>;

fn sums(conn: &Connection, days: Days, add: AddDays) -> Result<Sums> {
    let mut sums = Sums::default();
    add(conn, days, &mut sums)?;
    add_views(conn, days, &mut sums)?;
    add_campaigns(conn, days, &mut sums)?;
    add_forms(conn, days, &mut sums)?;
    let people: Vec<String> = sums.values("person").map(str::to_owned).collect();
    let mut find = conn.prepare_cached(
        "SELECT coalesce(nullif(display_name, ''), email) FROM users WHERE id = ?1",
    )?;
    for id in people {
        let mut rows = find.query([&id])?;
        if let Some(row) = rows.next()? {
            sums.names.insert(id, row.get(0)?);
        }
    }
    Ok(sums)
}

fn add_counted(conn: &Connection, days: Days, sums: &mut Sums) -> Result<()> {
    let mut find = conn.prepare_cached(
        "SELECT day, dimension, measure, value, number FROM figures_days
         WHERE day BETWEEN ?1 AND ?2",
    )?;
    let mut rows = find.query(params![days.from.to_string(), days.to.to_string()])?;
    let mut last = (String::new(), 0);
    while let Some(row) = rows.next()? {
        let text = |column: usize| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
        let day = text(0)?;
        if day != last.0 {
            last = (day.to_owned(), weekday(day));
        }
        sums.add(Count {
            day,
            weekday: last.1,
            dimension: text(1)?,
            measure: text(2)?,
            value: text(3)?,
            number: row.get(4)?,
        });
    }
    Ok(())
}

fn recount(conn: &Connection, days: Days, sums: &mut Sums) -> Result<()> {
    let zone = stored_zone(conn)?;
    for day in days.each() {
        let text = day.to_string();
        for (dimension, measure, value, number) in counts_of(conn, &zone, day)?.each() {
            sums.add(Count {
                day: &text,
                weekday: weekday(&text),
                measure,
                dimension,
                value,
                number,
            });
        }
    }
    Ok(())
}

fn weekday(day: &str) -> usize {
    let day = day.parse::<Date>().unwrap_or_default();
    usize::try_from(day.weekday().to_monday_zero_offset()).unwrap_or_default()
}

fn add_views(conn: &Connection, days: Days, sums: &mut Sums) -> Result<()> {
    let sql = "SELECT day, page, source, views FROM page_views WHERE day BETWEEN ?1 AND ?2";
    each(conn, sql, days, |day, [page, source], views| {
        let is_visitor = Source::ALL
            .iter()
            .any(|it| it.as_str() == source && it.is_visitor());
        let mut add = |dimension, measure, value| {
            sums.add(Count {
                day,
                weekday: 0,
                measure,
                dimension,
                value,
                number: views,
            });
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
        let (measure, dimension, value) = ("views", "campaign", campaign);
        sums.add(Count {
            day,
            weekday: 0,
            measure,
            dimension,
            value,
            number: views,
        });
    })
}

fn add_forms(conn: &Connection, days: Days, sums: &mut Sums) -> Result<()> {
    let sql = "SELECT day, page, '', begun FROM forms_begun WHERE day BETWEEN ?1 AND ?2";
    each(conn, sql, days, |day, [page, _], begun| {
        let mut add = |dimension, measure, value| {
            sums.add(Count {
                day,
                weekday: 0,
                measure,
                dimension,
                value,
                number: begun,
            });
        };
        add("all", "forms_begun", "");
        add("page", "begun", page);
    })
}

/// Calls `add` with each row of day, two texts and a number.
fn each(
    conn: &Connection,
    sql: &str,
    days: Days,
    mut add: impl FnMut(&str, [&str; 2], i64),
) -> Result<()> {
    let mut find = conn.prepare_cached(sql)?;
    let mut rows = find.query(params![days.from.to_string(), days.to.to_string()])?;
    while let Some(row) = rows.next()? {
        let text = |column: usize| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
        add(text(0)?, [text(1)?, text(2)?], row.get(3)?);
    }
    Ok(())
}
