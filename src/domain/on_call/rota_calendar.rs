//! The rota as a calendar (RFC 5545).

use super::rota::Span;
use crate::clock::Time;

/// The path of the calendar, before its name.
pub const CALENDAR_PREFIX: &str = "/on-call/";
/// The longest line, in bytes without its end.
const LINE: usize = 75;

/// The calendar of `spans`: an event each, named by `name` of its person.
pub fn calendar(title: &str, spans: &[Span], name: impl Fn(&str) -> String, now: Time) -> String {
    let mut out = String::new();
    for line in [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Guardpost//On call//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    ] {
        push(&mut out, line);
    }
    push(&mut out, &format!("X-WR-CALNAME:{}", escaped(title)));
    for span in spans {
        let summary = match span.on_call() {
            Some(person) => format!("On call: {}", name(person)),
            None => "Nobody is on call".to_owned(),
        };
        push(&mut out, "BEGIN:VEVENT");
        push(&mut out, &format!("UID:{}@guardpost", span.from.millis()));
        push(&mut out, &format!("DTSTAMP:{}", utc(now)));
        push(&mut out, &format!("DTSTART:{}", utc(span.from)));
        push(&mut out, &format!("DTEND:{}", utc(span.until)));
        push(&mut out, &format!("SUMMARY:{}", escaped(&summary)));
        push(&mut out, "TRANSP:TRANSPARENT");
        push(&mut out, "END:VEVENT");
    }
    push(&mut out, "END:VCALENDAR");
    out
}

/// `20261121T120000Z`.
fn utc(at: Time) -> String {
    let text = at.to_string();
    let digits: String = text[..19].chars().filter(|c| !"-:".contains(*c)).collect();
    format!("{digits}Z")
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '\\' | ';' | ',' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            other if other.is_control() => {}
            other => out.push(other),
        }
    }
    out
}

/// Appends a line, folded at 75 bytes (section 3.1).
fn push(out: &mut String, line: &str) {
    let mut length = 0;
    for character in line.chars() {
        if length + character.len_utf8() > LINE {
            out.push_str("\r\n ");
            length = 1;
        }
        out.push(character);
        length += character.len_utf8();
    }
    out.push_str("\r\n");
}
