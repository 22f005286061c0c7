//! A file of environment variables in the format of systemd's `EnvironmentFile=`, so that commands
//! read the secrets of the service from the same file.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// The variables in `file`, in their order. Fails if it cannot be read, or a line is no assignment;
/// the line is named by its number only, since it may hold a secret.
pub(in crate::cli) fn read(file: &Path) -> Result<Vec<(String, String)>> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("--env-file: cannot read {}", file.display()))?;
    parse(&text).with_context(|| format!("--env-file: {}", file.display()))
}

/// systemd.exec(5): `NAME=VALUE` lines, comments after `#` or `;`, values bare or in quotes, and a
/// backslash before a literal character.
fn parse(text: &str) -> Result<Vec<(String, String)>> {
    let mut variables = Vec::new();
    let mut rest = text.chars().peekable();
    let mut number = 0;
    while rest.peek().is_some() {
        number += 1;
        let mut name = String::new();
        while let Some(next) = rest.next_if(|next| !['=', '\n'].contains(next)) {
            name.push(next);
        }
        let (assigned, name) = (rest.next() == Some('='), name.trim());
        if name.is_empty() && !assigned {
            continue;
        }
        if name.starts_with(['#', ';']) {
            if assigned {
                while rest.next().is_some_and(|next| next != '\n') {}
            }
            continue;
        }
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if !assigned || name.is_empty() || !name.bytes().all(is_name) {
            bail!("line {number}: write NAME=VALUE");
        }
        let (value, lines) = value(&mut rest);
        number += lines;
        variables.push((name.to_owned(), value));
    }
    Ok(variables)
}

/// Reads a value to the end of its line; returns it with the number of line ends inside.
fn value(rest: &mut impl Iterator<Item = char>) -> (String, usize) {
    let (mut value, mut quote, mut lines) = (String::new(), None, 0);
    // White space around a bare value is dropped, in quotes it stays.
    let mut kept = 0;
    while let Some(next) = rest.next() {
        match (next, quote) {
            ('\n', None) => break,
            ('"' | '\'', None) => quote = Some(next),
            (_, Some(open)) if next == open => quote = None,
            ('\\', None | Some('"')) => match rest.next() {
                Some('\n') => lines += 1,
                Some(escaped) => value.push(escaped),
                None => {}
            },
            (_, None) if next.is_whitespace() => {
                if !value.is_empty() {
                    value.push(next);
                }
                continue;
            }
            _ => {
                lines += usize::from(next == '\n');
                value.push(next);
            }
        }
        kept = value.len();
    }
    value.truncate(kept);
    (value, lines)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn variables_are_read_as_systemd_reads_them() {
        for (text, expected) in [
            ("", vec![]),
            ("# a comment=1\n; another\n\n  \n", vec![]),
            (
                "A=1\nB_2 = two words \n",
                vec![("A", "1"), ("B_2", "two words")],
            ),
            (
                "A=\"in $quotes # here \"\n",
                vec![("A", "in $quotes # here ")],
            ),
            (
                "A='back\\slash'\nB=a\\ b\\\\\n",
                vec![("A", "back\\slash"), ("B", "a b\\")],
            ),
            (
                "A=x#y=z\r\nB=\nC=a\\\nb",
                vec![("A", "x#y=z"), ("B", ""), ("C", "ab")],
            ),
            ("A=\"a \\\"b\\\"\"", vec![("A", "a \"b\"")]),
        ] {
            let found = parse(text).unwrap();
            let found: Vec<_> = found
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn a_line_that_is_no_assignment_is_named_by_its_number_and_its_text_is_not_shown() {
        for (text, line) in [
            ("A=1\nsecret\n", "line 2"),
            ("A='1\n2'\n=secret", "line 3"),
            ("export secret=1", "line 1"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(line) && !error.contains("secret"), "{error}");
        }
    }
}
