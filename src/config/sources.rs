//! Where the settings that are in force come from.

use std::collections::{BTreeMap, BTreeSet};

/// What `Config::load_with_sources` has read in addition to the settings.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The names of the settings that the file sets.
    pub(super) in_file: BTreeSet<String>,
    /// The variables that set settings, by the name of the setting.
    pub(super) variables: BTreeMap<String, String>,
    /// Settings that the file or a variable sets and that have gone: they change nothing.
    pub gone: Vec<String>,
}

impl Sources {
    /// Where the value of a setting comes from: a variable, the file, or the defaults.
    pub fn of(&self, key: &str) -> &str {
        match self.variables.get(key) {
            Some(variable) => variable,
            None if self
                .in_file
                .iter()
                .any(|set| is_part(set, key) || is_part(key, set)) =>
            {
                "file"
            }
            None => "default",
        }
    }
}

/// Whether `key` is `whole`, or a part of it: the file may write as one value what is several here.
fn is_part(key: &str, whole: &str) -> bool {
    let rest = key.strip_prefix(whole);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
