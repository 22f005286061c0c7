//! Export of all tables as JSON lines, and their import into an empty database, to move to another
//! program or database.
//!
//! The first line names the version of the format and of the schema; each further one is a row:
//! `{"table": "requests", "row": {…}}`. Blobs are objects with one key, `hex`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Write};

use anyhow::{Context, Result, bail};
use rusqlite::types::{ToSqlOutput, Value as Sql, ValueRef};
use rusqlite::{Connection, ToSql};
use serde_json::{Map, Value, json};

use super::snapshot::tables;
use crate::database::schema::VERSION;
use crate::{Error, Store};
use domain::clock::Time;

/// The version of the format.
const FORMAT: u32 = 1;
/// Tables that are not exported: sessions and rows that expire within a day, rows that describe the
/// data folder itself, and rows derived from other tables.
const EXCLUDED: [&str; 19] = [
    "backup_places",
    "buckets",
    "challenges",
    "decoy_user",
    "decoys",
    "figures_time_zone",
    "flows",
    "installation",
    "job_requests",
    "key_files",
    "known_clients",
    "maintenance",
    "media_files",
    "refreshes",
    "sessions",
    "spent",
    "submissions",
    "upload_bytes",
    "write_probe",
];

impl Store {
    /// Writes every row to `out` in one read transaction; returns the number of rows.
    pub async fn export_all(&self, mut out: impl Write + Send + 'static, now: Time) -> Result<u64> {
        self.read(move |conn| Ok(export(conn, &mut out, now)))
            .await?
    }

    /// Inserts every row of `lines` in one transaction; returns their number. The database must
    /// have no accounts and no requests. Errors: names the invalid line; nothing is inserted then.
    pub async fn import_all(&self, lines: impl BufRead + Send + 'static) -> Result<u64> {
        let imported = self.write(move |conn| {
            import(conn, lines).map_err(|error| Error::Conflict(format!("{error:#}")))
        });
        Ok(imported.await?)
    }
}

fn export(conn: &Connection, out: &mut impl Write, now: Time) -> Result<u64> {
    let header = json!({
        "guardpost_export": FORMAT, "schema": VERSION, "program": env!("CARGO_PKG_VERSION"),
        "exported_at": now,
    });
    writeln!(out, "{header}")?;
    let mut rows = 0;
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
            writeln!(out, "{}", json!({"table": table, "row": object}))?;
            rows += 1;
        }
    }
    out.flush()?;
    Ok(rows)
}

/// The columns of a table without generated ones.
fn stored_columns(conn: &Connection, table: &str) -> Result<Vec<String>> {
    let mut find = conn.prepare("SELECT name FROM pragma_table_info(?1)")?;
    let columns = find.query_map([table], |row| row.get(0))?;
    Ok(columns.collect::<rusqlite::Result<_>>()?)
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

fn import(conn: &Connection, lines: impl BufRead) -> Result<u64> {
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
    let (mut rows, mut is_first) = (0, true);
    for (number, line) in (1_u64..).zip(lines.lines()) {
        let line = line.context("the export cannot be read")?;
        let read = || -> Result<()> {
            let value: Value = serde_json::from_str(&line).context("it is not JSON")?;
            match is_first {
                true => check_header(&value),
                false => insert(conn, &allowed, &value),
            }
        };
        read().with_context(|| format!("line {number}"))?;
        rows += u64::from(!is_first);
        is_first = false;
    }
    if is_first {
        bail!("the export is empty");
    }
    let orphans = "SELECT count(*) FROM pragma_foreign_key_check";
    let orphans: i64 = conn.query_row(orphans, [], |row| row.get(0))?;
    if orphans > 0 {
        bail!("the export is cut: {orphans} rows refer to rows that are not there");
    }
    Ok(rows)
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

fn insert(conn: &Connection, allowed: &BTreeSet<String>, line: &Value) -> Result<()> {
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
    Ok(())
}
