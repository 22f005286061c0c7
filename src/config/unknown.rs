//! The names of settings, and suggestions for those that do not exist.

use toml::{Table, Value};

/// Maximum number of edits between a mistyped key and the suggestion, for each three characters.
const CHARACTERS_PER_EDIT: usize = 3;

/// The full name of the setting that serde's `message` about the value at `path` calls unknown;
/// `None` if the message is about something else.
pub(super) fn key_in(message: &str, path: &str) -> Option<String> {
    let key = message.strip_prefix("unknown field `")?;
    let (key, _) = key.split_once('`')?;
    // The path ends with the key itself, or with the section that it is in.
    let section = match path.rsplit_once('.') {
        Some((section, last)) if last == key => section,
        None if path == key => "",
        _ => path,
    };
    Some(match section {
        "" | "." => key.to_owned(),
        section => format!("{section}.{key}"),
    })
}

/// The setting most similar to `key`, as in `company.fone`; `None` if none is similar.
pub(super) fn nearest(key: &str, defaults: &Table) -> Option<String> {
    let mut names = Vec::new();
    collect(defaults, "", &mut |name, _| names.push(name));
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let edits = |name: &String| strsim::damerau_levenshtein(key, name);
    // The right key in the wrong section is an error too.
    let elsewhere = names.iter().find(|name| last(name) == last(key));
    let near = names
        .iter()
        .filter(|name| edits(name) <= last(key).chars().count().div_ceil(CHARACTERS_PER_EDIT))
        .min_by_key(|name| edits(name));
    near.or(elsewhere).cloned()
}

/// The names of all settings in `table`, without those of sections; an empty table is a setting.
pub(super) fn names(table: &Table) -> Vec<String> {
    let mut names = Vec::new();
    collect(table, "", &mut |name, value| {
        if value.as_table().is_none_or(Table::is_empty) {
            names.push(name);
        }
    });
    names
}

/// Calls `each` with the name and the value of every section and setting in `table`.
fn collect(table: &Table, prefix: &str, each: &mut dyn FnMut(String, &Value)) {
    for (key, value) in table {
        let name = format!("{prefix}{key}");
        if let Some(below) = value.as_table() {
            collect(below, &format!("{name}."), each);
        }
        each(name, value);
    }
}
