//! Figures in the API.

use poem_openapi::Object;

use domain::figures::table::{Row, Table};
use domain::figures::tables::Figures;
use domain::request::due_time::AnswerTimes;

/// The figures of a period beside those of the one before.
#[derive(Object)]
pub(super) struct FiguresOfPeriod {
    /// The first day, `YYYY-MM-DD` on the company's clock.
    from: String,
    /// The last day.
    to: String,
    /// The first day of the period that it is compared with.
    before_from: String,
    /// The last day of that period.
    before_to: String,
    tables: Vec<FiguresTable>,
}

/// A table of figures.
#[derive(Object)]
struct FiguresTable {
    /// As in `services`.
    key: String,
    /// The keys of the numbers of each row, as in `asked`. Those that end in `_cents` are amounts of
    /// money, those that end in `_minutes` minutes.
    columns: Vec<String>,
    rows: Vec<FiguresRow>,
}

/// A row of a table.
#[derive(Object)]
struct FiguresRow {
    /// What is counted, as in `fire-watch` or a user's id; empty if that is not known.
    value: String,
    /// The name of a person, null for other rows and for deleted accounts.
    name: Option<String>,
    /// In the order of the columns; null if there is no such number.
    numbers: Vec<Option<i64>>,
}

impl FiguresOfPeriod {
    pub(super) fn new(figures: &Figures, promised: AnswerTimes) -> Self {
        let period = figures.period;
        Self {
            from: period.days.from.to_string(),
            to: period.days.to.to_string(),
            before_from: period.before.from.to_string(),
            before_to: period.before.to.to_string(),
            tables: figures
                .tables(promised)
                .into_iter()
                .map(Into::into)
                .collect(),
        }
    }
}

impl From<Table> for FiguresTable {
    fn from(table: Table) -> Self {
        Self {
            key: table.key.to_owned(),
            columns: table.columns,
            rows: table.rows.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Row> for FiguresRow {
    fn from(row: Row) -> Self {
        Self {
            value: row.value,
            name: row.name,
            numbers: row.numbers,
        }
    }
}
