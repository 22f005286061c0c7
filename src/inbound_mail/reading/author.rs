//! The author in `From` and `Reply-To` (RFC 5322), also as old programs write them: names with
//! commas that are not quoted, doubled or missing brackets, `mailto:`, a route, a field that is
//! encoded as a whole.

use std::sync::LazyLock;

use regex::Regex;

use super::headers::Headers;
use super::words;
use domain::text::one_line;

/// Maximum code points of a name or an address.
const MAX_NAME: usize = 200;

/// An address with its display name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Author {
    /// In lower case; empty if there is none, or several.
    pub address: String,
    pub name: Option<String>,
}

pub(super) static ADDRESS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"[^\s<>,;:"()\[\]\\@]+@[^\s<>,;:"()\[\]\\@]+"#).ok());

/// The only author in the only field with this name.
pub(super) fn author(headers: &Headers, field: &str) -> Author {
    let mut fields = headers.all(field);
    match (fields.next(), fields.next()) {
        (Some(field), None) => of_field(field),
        _ => Author::default(),
    }
}

fn of_field(field: &str) -> Author {
    let whole = match field.contains('@') {
        true => field.to_owned(),
        false => words::decoded(field),
    };
    let bare = without_quoted(&whole);
    let Some(address) = only_address(&bare) else {
        return Author::default();
    };
    let name = match bare.find('<') {
        // `bare` has as many bytes as `whole`.
        Some(start) => whole[..start].to_owned(),
        None => comment(&whole),
    };
    let name = name.trim();
    let inside = name
        .strip_prefix('"')
        .and_then(|name| name.strip_suffix('"'));
    let name = inside.unwrap_or(name).replace('\\', "");
    let name = one_line(&words::decoded(&name), MAX_NAME);
    Author {
        address: one_line(&address, MAX_NAME).to_lowercase(),
        name: (!name.is_empty()).then_some(name),
    }
}

/// The address if there is one only, or only one in brackets and no list.
fn only_address(bare: &str) -> Option<String> {
    let found: Vec<&str> = ADDRESS
        .as_ref()?
        .find_iter(bare)
        .map(|found| found.as_str())
        .collect();
    let first = found.first()?;
    if found.iter().all(|other| other.eq_ignore_ascii_case(first)) {
        return Some((*first).to_owned());
    }
    let mut brackets = bare.split('<').skip(1);
    let only = brackets.next().filter(|_| !bare.contains([',', ';']))?;
    let only = brackets.next().is_none().then_some(only)?;
    let inside = only.split('>').next()?;
    let found = ADDRESS.as_ref()?.find(inside)?;
    Some(found.as_str().to_owned())
}

/// The field with spaces in place of quoted strings and comments.
fn without_quoted(field: &str) -> String {
    let (mut depth, mut is_quoted, mut is_escaped) = (0_u32, false, false);
    let mut bare = String::with_capacity(field.len());
    for c in field.chars() {
        let was_inside = depth > 0 || is_quoted;
        let was_escaped = std::mem::take(&mut is_escaped);
        match c {
            _ if was_escaped => {}
            '\\' if was_inside => is_escaped = true,
            '"' if depth == 0 => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        match was_inside || depth > 0 || is_quoted {
            true => bare.extend(std::iter::repeat_n(' ', c.len_utf8())),
            false => bare.push(c),
        }
    }
    bare
}

/// The name of `maria@property.example (Maria Lopez)`.
fn comment(field: &str) -> String {
    let inside = field
        .split_once('(')
        .and_then(|(_, rest)| rest.rsplit_once(')'));
    inside.map_or_else(String::new, |(name, _)| name.to_owned())
}
