//! `guardpost figures`: prints what was viewed, asked, answered, offered and won in a period.

use std::io::Write;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use jiff::civil::Date;
use serde_json::{Value, json};

use super::output::print::StandardOutput;
use super::startup::global_args::GlobalArgs;
use crate::app;
use domain::clock::Clock;
use domain::clock::time_zone::TimeZone;
use domain::figures::period::Period;
use domain::figures::table::{Table, cell};

/// Print the figures of a period: what was viewed, asked, answered, offered and won.
///
/// They are those of the dashboard, on the company's clock: of the current week, unless another
/// period is named, beside the period before. Each table is of requests that were received or
/// won, or of offers that were sent first, in the period. What was erased stays in the counts.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost figures\n  \
    guardpost figures --month 2026-11 --json\n  \
    guardpost figures --from 2026-11-01 --to 2026-11-15")]
pub(super) struct FiguresCommand {
    /// A month, e.g. 2026-11
    #[arg(
        long,
        value_name = "MONTH",
        value_parser = parse_month,
        conflicts_with_all = ["from", "to"]
    )]
    month: Option<Period>,
    /// The first day, e.g. 2026-11-01
    #[arg(long, value_name = "DAY", requires = "to")]
    from: Option<Date>,
    /// The last day
    #[arg(long, value_name = "DAY", requires = "from")]
    to: Option<Date>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn parse_month(text: &str) -> Result<Period, String> {
    Period::of_month(text).ok_or_else(|| "a month is written as 2026-11".to_owned())
}

impl FiguresCommand {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let zone = TimeZone::parse(&config.company.time_zone)
            .ok_or_else(|| anyhow!("`{}` is not a time zone", config.company.time_zone))?;
        let store = GlobalArgs::open_existing(&config)?;
        store.keep_figures_in(zone.clone()).await?;
        let today = zone.local(Clock::system().now()).date();
        let figures = store.figures(self.period(today)?).await?;
        let tables = figures.tables(app::answer_times(&config.desk));
        let days = figures.period.days;
        let mut out = StandardOutput;
        if self.json {
            let tables: Vec<Value> = tables.iter().map(to_json).collect();
            let all = json!({ "from": days.from, "to": days.to, "tables": tables });
            writeln!(out, "{all}")?;
            return Ok(());
        }
        writeln!(out, "{} to {}", days.from, days.to)?;
        for table in tables.iter().filter(|table| !table.rows.is_empty()) {
            print(&mut out, table)?;
        }
        Ok(())
    }

    fn period(&self, today: Date) -> Result<Period> {
        if let Some((from, to)) = self.from.zip(self.to) {
            let wrong = "--from is a day before --to or the same, at most ten years before";
            return Period::between(from, to).context(wrong);
        }
        let week = || Period::named("week", today).context("there is no current week");
        self.month.map_or_else(week, Ok)
    }
}

fn to_json(table: &Table) -> Value {
    let rows = table
        .rows
        .iter()
        .map(|row| json!({ "value": row.value, "name": row.name, "numbers": row.numbers }));
    json!({ "key": table.key, "columns": table.columns, "rows": rows.collect::<Vec<_>>() })
}

/// Prints a table with columns of equal width.
fn print(out: &mut impl Write, table: &Table) -> std::io::Result<()> {
    let head: Vec<String> = [table.key.clone()]
        .into_iter()
        .chain(table.columns.iter().cloned())
        .collect();
    let rows = table.rows.iter().map(|row| {
        let name = row.name.clone().unwrap_or_else(|| row.value.clone());
        let name = if name.is_empty() {
            "(unknown)".to_owned()
        } else {
            name
        };
        let numbers = table.columns.iter().zip(&row.numbers);
        let numbers =
            numbers.map(|(key, number)| number.map_or("-".to_owned(), |it| cell(key, it)));
        [name].into_iter().chain(numbers).collect::<Vec<_>>()
    });
    let lines: Vec<Vec<String>> = [head].into_iter().chain(rows).collect();
    writeln!(out)?;
    for line in &lines {
        for (column, text) in line.iter().enumerate() {
            let widths = lines.iter().filter_map(|line| line.get(column));
            let width = widths
                .map(|text| text.chars().count())
                .max()
                .unwrap_or_default();
            match column {
                0 => write!(out, "{text:width$}")?,
                _ => write!(out, "  {text:>width$}")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
