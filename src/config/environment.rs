//! Environment variables that set settings: `GUARDPOST_SECTION__KEY`.

use anyhow::{Context, Result, bail};
use toml::{Table, Value};

/// Prefix of the environment variables that override settings.
pub(super) const PREFIX: &str = "GUARDPOST_";

/// The correct variable name for one without a section, such as `LISTEN`, or with a single
/// underscore, such as `SERVER_LISTEN`. Other variables with the prefix are ignored, because they
/// may belong to another program.
pub(super) fn suggest_variable(key: &str, defaults: &Table) -> Option<String> {
    let key = key.to_lowercase();
    defaults.iter().find_map(|(section, value)| {
        let after_section = key.strip_prefix(section.as_str());
        let rest = after_section.and_then(|rest| rest.strip_prefix('_'));
        let name = rest.unwrap_or(&key);
        value.as_table()?.contains_key(name).then(|| {
            format!(
                "{PREFIX}{}__{}",
                section.to_uppercase(),
                name.to_uppercase()
            )
        })
    })
}

/// Sets `SECTION__KEY[__KEY]` in `table` to `value`. A setting whose default is a string takes the
/// value verbatim, a list is parsed by `parse_list`, and any other value is parsed as TOML.
pub(super) fn apply_variable(
    table: &mut Table,
    defaults: &Table,
    key: &str,
    value: &str,
) -> Result<()> {
    let path: Vec<String> = key.split("__").map(str::to_lowercase).collect();
    let Some((last, sections)) = path.split_last() else {
        bail!("names no setting")
    };
    let (mut at, mut default) = (table, Some(defaults));
    for section in sections {
        default = default
            .and_then(|table| table.get(section))
            .and_then(Value::as_table);
        let next = at
            .entry(section.clone())
            .or_insert_with(|| Value::Table(Table::new()));
        at = next
            .as_table_mut()
            .with_context(|| format!("`{section}` is a value, not a section"))?;
    }
    let parsed = match default.and_then(|table| table.get(last)) {
        Some(Value::String(_)) | None => Value::String(value.to_owned()),
        Some(Value::Array(_)) => parse_list(value)?,
        Some(_) => parse_toml(value).unwrap_or_else(|| Value::String(value.to_owned())),
    };
    at.insert(last.clone(), parsed);
    Ok(())
}

fn parse_toml(value: &str) -> Option<Value> {
    format!("v = {value}").parse::<Table>().ok()?.remove("v")
}

/// Parses a list: in brackets as TOML or JSON, else as comma-separated words.
fn parse_list(value: &str) -> Result<Value> {
    if value.trim_start().starts_with('[') {
        return parse_toml(value)
            .or_else(|| serde_json::from_str(value).ok())
            .context("the list in brackets is neither TOML nor JSON");
    }
    let words = value.split(',').map(str::trim);
    let words = words.filter(|word| !word.is_empty());
    let words = words.map(|word| Value::String(word.to_owned()));
    Ok(Value::Array(words.collect()))
}
