//! Suggestions for settings that do not exist.

use toml::Table;

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
    collect(defaults, "", &mut names);
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

/// The names of all sections and settings in `table`.
fn collect(table: &Table, prefix: &str, names: &mut Vec<String>) {
    for (key, value) in table {
        let name = format!("{prefix}{key}");
        if let Some(below) = value.as_table() {
            collect(below, &format!("{name}."), names);
        }
        names.push(name);
    }
}
