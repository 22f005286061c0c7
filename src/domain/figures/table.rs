//! A table of figures: rows with a name and numbers.

use poem_openapi::Object;

use crate::text::unevaluated;

/// Rows of numbers under the same columns.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
#[oai(rename = "FiguresTable")]
pub struct Table {
    /// As in `services`.
    pub key: String,
    /// The keys of the numbers, as in `asked`. Those that end in `_cents` are dollars, those that
    /// end in `_minutes` minutes.
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
#[oai(rename = "FiguresRow")]
pub struct Row {
    /// What is counted, as in `fire-watch` or a user's id; empty if that is not known.
    pub value: String,
    /// The name of a person; `None` if the value says it.
    pub name: Option<String>,
    /// In the order of the columns; `None` if there is no such number.
    pub numbers: Vec<Option<i64>>,
}

impl Table {
    /// As CSV with the byte order mark by which Excel detects UTF-8. A cell that a spreadsheet
    /// would evaluate starts with an apostrophe.
    ///
    /// # Errors
    /// If the writer fails, which writes into memory.
    pub fn to_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut csv = csv::Writer::from_writer("\u{feff}".as_bytes().to_vec());
        let head = [self.key.clone()].into_iter();
        csv.write_record(head.chain(self.columns.iter().map(|key| heading(key))))?;
        for row in &self.rows {
            let name = row.name.as_deref().unwrap_or(&row.value);
            let numbers = self.columns.iter().zip(&row.numbers);
            let numbers = numbers
                .map(|(key, number)| number.map_or(String::new(), |number| cell(key, number)));
            csv.write_record([unevaluated(name).into_owned()].into_iter().chain(numbers))?;
        }
        csv.into_inner()
            .map_err(|error| csv::Error::from(error.into_error()))
    }
}

/// A number as text: cents as dollars.
pub fn cell(key: &str, number: i64) -> String {
    match key.ends_with("_cents") {
        true => format!(
            "{}{}.{:02}",
            if number < 0 { "-" } else { "" },
            number.abs() / 100,
            number.abs() % 100
        ),
        false => number.to_string(),
    }
}

fn heading(key: &str) -> String {
    key.strip_suffix("_cents")
        .map_or_else(|| key.to_owned(), |name| format!("{name}_dollars"))
}
