//! `format=flowed` (RFC 3676): lines that a mail program has broken are joined again.

/// Joins the lines of a text; `removes_space` is its `DelSp=yes`.
pub(super) fn joined(text: &str, removes_space: bool) -> String {
    let mut result: Vec<String> = Vec::new();
    // The depth of the quote in which a paragraph goes on.
    let mut open: Option<usize> = None;
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let depth = line.bytes().take_while(|byte| *byte == b'>').count();
        let words = &line[depth..];
        let words = words.strip_prefix(' ').unwrap_or(words);
        let is_signature = words == "-- ";
        // An empty line parts paragraphs, even below one that a program has left open.
        let is_apart = is_signature || words.is_empty();
        match result.last_mut() {
            Some(before) if open == Some(depth) && !is_apart => before.push_str(words),
            _ => result.push(with_quote(depth, words)),
        }
        open = (words.ends_with(' ') && !is_signature).then_some(depth);
        if open.is_some()
            && removes_space
            && let Some(last) = result.last_mut()
        {
            last.pop();
        }
    }
    result.join("\n")
}

fn with_quote(depth: usize, words: &str) -> String {
    match depth {
        0 => words.to_owned(),
        _ => format!("{} {words}", ">".repeat(depth)),
    }
}
