//! Export of all tables as JSON lines, and their import into an empty database, to move to another
//! program or database.
//!
//! The first line names the version of the format and of the schema; each further one is a row:
//! `{"table": "requests", "row": {…}}`. Blobs are objects with one key, `hex`. The last line, `end`,
//! has the number of rows of each table, and the SHA-256 of all bytes before it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Write};

use anyhow::{Context, Result, bail};
use rusqlite::types::{ToSqlOutput, Value as Sql, ValueRef};
use rusqlite::{Connection, ToSql};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::snapshot::tables;
use crate::database::schema::VERSION;
use crate::{Error, Store, query};
use domain::clock::Time;

/// The version of the format.
const FORMAT: u32 = 2;
/// Tables that are not exported: sessions and rows that expire within a day, rows that describe the
/// data folder itself, and rows derived from other tables.
const EXCLUDED: [&str; 18] = [
    "backup_places",
    "buckets",
    "challenges",
    "decoy_user",
    "decoys",
    "figures_time_zone",
    "flows",
    "installation",
    "key_files",
    "mail_outage",
    "known_clients",
    "maintenance",
    "refreshes",
    "sessions",
    "spent",
    "submissions",
    "upload_bytes",
    "write_probe",
];

impl Store {
    /// Writes every row to `out` in one read transaction; returns `out` and the number of rows.
    pub async fn export_all<W: Write + Send + 'static>(
        &self,
        out: W,
        now: Time,
    ) -> Result<(W, u64)> {
        self.read(move |conn| Ok(export(conn, out, now))).await?
    }

    /// Inserts every row of `lines` in one transaction; returns their number. The database must
    /// have no accounts and no requests. Errors: names the invalid line, or what is missing;
    /// nothing is inserted then.
    pub async fn import_all(&self, lines: impl BufRead + Send + 'static) -> Result<u64> {
        let imported = self.write(move |conn| {
            import(conn, lines).map_err(|error| Error::Conflict(format!("{error:#}")))
        });
        Ok(imported.await?)
    }
}

/// The last line: what the lines before it must be.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct End {
    /// The number of rows of each table that has any.
    rows: BTreeMap<String, u64>,
    /// The SHA-256 of all lines before this one.
    sha256: String,
}

/// Counts and hashes the lines of an export.
#[derive(Default)]
struct Counting {
    rows: BTreeMap<String, u64>,
    sum: Sha256,
}

impl Counting {
    fn count(&mut self, table: &str) {
        *self.rows.entry(table.to_owned()).or_default() += 1;
    }

    fn end(self) -> End {
        End {
            rows: self.rows,
            sha256: hex::encode(self.sum.finalize()),
        }
    }
}

impl End {
    fn total(&self) -> u64 {
        self.rows.values().sum()
    }
}

fn export<W: Write>(conn: &Connection, mut out: W, now: Time) -> Result<(W, u64)> {
    let mut counting = Counting::default();
    let mut write = |counting: &mut Counting, line: &Value| -> io::Result<()> {
        let line = format!("{line}\n");
        counting.sum.update(&line);
        out.write_all(line.as_bytes())
    };
    let header = json!({
        "guardpost_export": FORMAT, "schema": VERSION, "program": domain::program::build().text,
        "exported_at": now,
    });
    write(&mut counting, &header)?;
    for table in exported_tables(conn)? {
        let columns = stored_columns(conn, &table)?;
        let list = columns.join("\", \"");
        let mut find = conn.prepare(&format!("SELECT \"{list}\" FROM \"{table}\""))?;
        let mut found = find.query([])?;
        while let Some(row) = found.next()? {
            let mut object = Map::new();
            for (index, column) in columns.iter().enumerate() {
                object.insert(column.clone(), to_json(row.get_ref(index)?));
            }
            write(&mut counting, &json!({"table": table, "row": object}))?;
            counting.count(&table);
        }
    }
    let end = counting.end();
    writeln!(out, "{}", json!({ "end": end }))?;
    out.flush()?;
    Ok((out, end.total()))
}

/// The columns of a table without generated ones.
fn stored_columns(conn: &Connection, table: &str) -> Result<Vec<String>> {
    let sql = "SELECT name FROM pragma_table_info(?1)";
    Ok(query::all(conn, sql, [table], |row| row.get(0))?)
}

fn exported_tables(conn: &Connection) -> Result<Vec<String>> {
    let mut tables = tables(conn)?;
    // Litestream's own tables, as in `_litestream_seq`.
    tables.retain(|table| !EXCLUDED.contains(&table.as_str()) && !table.starts_with('_'));
    Ok(tables)
}

fn to_json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into(),
        ValueRef::Blob(bytes) => json!({"hex": hex::encode(bytes)}),
    }
}

fn to_sql(value: &Value) -> Result<Sql> {
    Ok(match value {
        Value::Null => Sql::Null,
        Value::String(text) => Sql::Text(text.clone()),
        Value::Number(number) => match number.as_i64() {
            Some(number) => Sql::Integer(number),
            None => Sql::Real(number.as_f64().context("a number is too large")?),
        },
        Value::Object(blob) => {
            let hex = blob.get("hex").and_then(Value::as_str);
            Sql::Blob(hex::decode(hex.context("an object is no blob")?)?)
        }
        _ => bail!("a value is neither text nor number"),
    })
}

fn import(conn: &Connection, mut lines: impl BufRead) -> Result<u64> {
    let used = "SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM requests)";
    if conn.query_row(used, [], |row| row.get(0))? {
        bail!("the database is not empty: import into a new data folder");
    }
    // Rows refer to rows of later lines.
    conn.execute_batch("PRAGMA defer_foreign_keys = ON")?;
    let allowed: BTreeSet<String> = exported_tables(conn)?.into_iter().collect();
    for table in &allowed {
        // Rows inserted by migrations are in the export too.
        conn.execute(&format!("DELETE FROM \"{table}\""), [])?;
    }
    let (mut counting, mut end, mut line) = (Counting::default(), None, Vec::new());
    for number in 1_u64.. {
        line.clear();
        if lines
            .read_until(b'\n', &mut line)
            .context("the export cannot be read")?
            == 0
        {
            break;
        }
        let mut read = || -> Result<()> {
            if end.is_some() {
                bail!("it follows the end of the export");
            }
            let value: Value = serde_json::from_slice(&line).context("it is not JSON")?;
            if number == 1 {
                check_header(&value)?;
            } else if let Some(found) = value.get("end") {
                end = Some(End::deserialize(found).context("it is no end of an export")?);
                return Ok(());
            } else {
                counting.count(insert(conn, &allowed, &value)?);
            }
            counting.sum.update(&line);
            Ok(())
        };
        read().with_context(|| format!("line {number}"))?;
    }
    let (found, Some(end)) = (counting.end(), end) else {
        bail!("the export is cut: its last line, which says what it must have, is missing");
    };
    if found != end {
        bail!(
            "the export is incomplete or was changed: {} of {} rows are there, and the sums {}",
            found.total(),
            end.total(),
            if found.sha256 == end.sha256 {
                "agree"
            } else {
                "differ"
            },
        );
    }
    let orphans = "SELECT count(*) FROM pragma_foreign_key_check";
    let orphans: i64 = conn.query_row(orphans, [], |row| row.get(0))?;
    if orphans > 0 {
        bail!("{orphans} rows of the export refer to rows that are not there");
    }
    Ok(end.total())
}

fn check_header(header: &Value) -> Result<()> {
    if header["guardpost_export"] != FORMAT {
        bail!("it is not the first line of an export of this format ({FORMAT})");
    }
    if header["schema"] != VERSION {
        bail!(
            "the export was made by guardpost {} (schema {}, this program has {VERSION}): import \
             it with that version, then upgrade",
            header["program"].as_str().unwrap_or("?"),
            header["schema"]
        );
    }
    Ok(())
}

/// Inserts the row of a line; returns its table.
fn insert<'a>(conn: &Connection, allowed: &BTreeSet<String>, line: &'a Value) -> Result<&'a str> {
    let table = line["table"].as_str().context("it names no table")?;
    if !allowed.contains(table) {
        bail!("there is no table `{table}`");
    }
    let row = line["row"].as_object().context("it has no row")?;
    let values: BTreeMap<&str, Sql> = row
        .iter()
        .map(|(column, value)| Ok((column.as_str(), to_sql(value)?)))
        .collect::<Result<_>>()?;
    if values.keys().any(|column| {
        !column
            .bytes()
            .all(|b| b == b'_' || b.is_ascii_alphanumeric())
    }) {
        bail!("a column has an invalid name");
    }
    let columns: Vec<_> = values
        .keys()
        .map(|column| format!("\"{column}\""))
        .collect();
    let parameters = vec!["?"; columns.len()].join(", ");
    let sql = format!(
        "INSERT INTO \"{table}\" ({}) VALUES ({parameters})",
        columns.join(", ")
    );
    let values: Vec<ToSqlOutput<'_>> = values.into_values().map(ToSqlOutput::Owned).collect();
    let values: Vec<&dyn ToSql> = values.iter().map(|value| value as &dyn ToSql).collect();
    conn.prepare_cached(&sql)?.execute(&*values)?;
    Ok(table)
}
