//! The words of an email: of its plain parts, unless these say nothing and its HTML does.

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use super::headers::Headers;
use super::html::lines_of_html;
use super::line::Line;
use super::parts::{self, PartText};
use super::words;
use domain::text::{one_line, visible};

/// Maximum parts that are read.
const MAX_PARTS: usize = 1_000;
/// Maximum bytes of plain text that are read.
const MAX_BODY: usize = 1024 * 1024;
/// Maximum lines that are read.
const MAX_LINES: usize = 50_000;
/// Maximum code points of a field of an attached email.
const MAX_FIELD: usize = 300;
/// Maximum characters of a plain part that only refers to another program.
const MAX_STUB: usize = 600;

/// The words of an email.
#[derive(Default)]
pub(super) struct Body {
    pub lines: Vec<Line>,
    /// Whether they are only the beginning.
    pub is_cut: bool,
    /// The HTML, if the words are those of the plain parts: it shows pictures.
    pub html: Vec<Line>,
    /// A plain part that is not the email: it refers to a program that shows HTML.
    pub stub: String,
}

pub(super) fn body(message: &Message<'_>) -> Body {
    let plain = joined(message, message.text_bodies());
    let is_alone = message.text_body == message.html_body;
    if is_alone && !is_empty(&plain) {
        return plain;
    }
    let html = joined(message, message.html_bodies());
    match (is_empty(&plain), is_empty(&html)) {
        (true, true) => unnamed_or_attached(message),
        (true, false) => html,
        (false, false) if is_stub(&plain, &html) => Body {
            stub: text_of(&plain),
            ..html
        },
        _ => Body {
            html: html.lines,
            ..plain
        },
    }
}

/// The words of an email that has no texts: of its only part, or of an email that it passes on.
fn unnamed_or_attached(message: &Message<'_>) -> Body {
    let attached = message.parts.iter().find_map(|part| match &part.body {
        PartType::Message(attached) => Some(attached),
        _ => None,
    });
    if let Some(attached) = attached {
        return forwarded(attached);
    }
    let is_alone = message.attachments.iter().all(|at| *at == 0);
    let root = message
        .parts
        .first()
        .filter(|part| is_alone && is_unnamed_text(part));
    joined(message, root.into_iter())
}

/// The words of an attached email, as a mail program would pass them on.
fn forwarded(attached: &Message<'_>) -> Body {
    let headers = Headers::of(attached);
    let field = |name: &str, value: Option<&str>| {
        let value = one_line(&words::decoded(value.unwrap_or_default()), MAX_FIELD);
        Line::plain(&format!("{name}: {value}"))
    };
    let mut lines = vec![
        Line::plain("---------- Forwarded message ----------"),
        field("From", headers.first("from")),
        field("Subject", headers.first("subject")),
        Line::default(),
    ];
    let parts = joined(attached, attached.text_bodies());
    lines.extend(parts.lines);
    Body {
        lines,
        is_cut: parts.is_cut,
        ..Body::default()
    }
}

/// Whether the root of an email is a text whose type is written wrongly, or a multipart without
/// parts.
pub(super) fn is_unnamed_text(part: &MessagePart<'_>) -> bool {
    let kind = part.content_type();
    let kind = kind
        .map(|kind| kind.ctype().to_ascii_lowercase())
        .unwrap_or_default();
    let is_known = [
        "image",
        "audio",
        "video",
        "application",
        "font",
        "model",
        "message",
    ];
    let is_file = part.attachment_name().is_some()
        || is_known.contains(&kind.as_str())
        || matches!(part.body, PartType::Message(_));
    !is_file
}

fn joined<'a>(message: &Message<'_>, parts: impl Iterator<Item = &'a MessagePart<'a>>) -> Body {
    let mut body = Body::default();
    let mut size = 0;
    for part in parts.take(MAX_PARTS) {
        let is_text = matches!(part.body, PartType::Text(_) | PartType::Html(_));
        if !is_text && !is_unnamed_text(part) {
            continue;
        }
        let part = parts::text_of(message, part);
        let (lines, is_cut) = lines_of(&part);
        body.is_cut |= is_cut || part.is_cut;
        size += lines.iter().map(|line| line.text.len() + 1).sum::<usize>();
        body.lines.extend(lines);
        if size > MAX_BODY || body.lines.len() > MAX_LINES {
            body.lines.truncate(MAX_LINES);
            body.is_cut = true;
            break;
        }
    }
    body
}

fn lines_of(part: &PartText) -> (Vec<Line>, bool) {
    if part.is_html || is_html_source(&part.text) {
        let (mut lines, is_cut) = lines_of_html(&part.text);
        for line in &mut lines {
            let words = line.text.trim_start_matches(' ');
            let indent = line.text.len() - words.len();
            // The space of a signature's mark is part of it.
            let end = if words == "-- " { " " } else { "" };
            line.text = [&" ".repeat(indent), visible(words, false).as_ref(), end].concat();
        }
        return (lines, is_cut);
    }
    let end = part.text.floor_char_boundary(MAX_BODY);
    let text = visible(&part.text[..end], true);
    let lines = text.split('\n').take(MAX_LINES + 1).map(Line::plain);
    (lines.collect(), end < part.text.len())
}

/// Whether a plain part is the source of an HTML one.
fn is_html_source(text: &str) -> bool {
    let start = text.trim_start();
    let start = start[..start.floor_char_boundary(200)].to_ascii_lowercase();
    let begins = [
        "<!doctype html",
        "<html",
        "<head",
        "<body",
        "<p>",
        "<div",
        "<table",
        "<br",
    ];
    begins.iter().any(|tag| start.starts_with(tag)) && text.contains("</")
}

fn is_empty(body: &Body) -> bool {
    body.lines.iter().all(Line::is_blank)
}

fn text_of(body: &Body) -> String {
    let lines: Vec<&str> = body.lines.iter().map(|line| line.text.as_str()).collect();
    lines.join("\n").trim().to_owned()
}

/// Words of a plain part that is not the email.
const STUB: [&str; 6] = [
    "html",
    "viewer",
    "mail client",
    "email client",
    "mail program",
    "browser",
];

/// Whether the plain part is short and refers to a program, and most of its words are not in the
/// HTML.
fn is_stub(plain: &Body, html: &Body) -> bool {
    let plain = text_of(plain).to_lowercase();
    let asks = STUB.iter().any(|words| plain.contains(words));
    if !asks || plain.chars().count() > MAX_STUB {
        return false;
    }
    let html = text_of(html).to_lowercase();
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        words
            .filter(|word| word.chars().count() > 2)
            .map(str::to_owned)
            .collect()
    };
    let known: std::collections::HashSet<String> = words(&html).into_iter().collect();
    let said = words(&plain);
    let shared = said.iter().filter(|word| known.contains(*word)).count();
    !said.is_empty() && shared * 2 < said.len()
}
