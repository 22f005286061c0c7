//! The templates of all emails, in `templates/`, compiled when their first email is rendered.
//!
//! An email is one `.jinja` file: its words, as blocks and variables. It is rendered twice, into
//! `layout.txt` and `layout.html`, which define the order: heading, urgent, body, lead, list, code,
//! call, facts, passage, link with its button, notes. Absent parts are omitted. The blocks
//! `urgent`, `lead` and `notes` hold paragraphs, separated by blank lines; other line breaks are
//! spaces.

use include_dir::{Dir, include_dir};
use minijinja::value::{Serde, Value};
use minijinja::{Environment, Error, context};
use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use serde::Serialize;

use config::{Company, tel_link};
use domain::clock::local_time::minutes_in_words;
use domain::offer::document::long_date;
use domain::text::one_line;
use domain::text::text_links::text_parts;
use site::placeholders::escape_html;
use site::templates::{environment, text_of};

/// The layouts, by the suffix of a template's name; an email's template extends one of them.
const LAYOUTS: [(&str, &str); 2] = [
    ("txt", include_str!("layout.txt")),
    ("html", include_str!("layout.html")),
];

/// Every email, and the base of those of the authentication service.
static EMAILS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/email/templates");

/// The emails by name, with their sources.
pub(super) fn emails() -> impl Iterator<Item = (&'static str, &'static str)> {
    let folders = EMAILS.dirs().chain([&EMAILS]);
    let files = folders.flat_map(|folder| folder.files());
    files.filter_map(|file| {
        let name = file.path().to_str()?.strip_suffix(".jinja")?;
        Some((name, file.contents_utf8()?))
    })
}

const ACCOUNT_BASE: &str = "account/base";

/// Renders emails of one company. Compiling the templates of one email takes a tenth of the time of
/// a post with its two emails, and all of them take 1.8 MB: they are compiled when first used.
pub(super) struct Templates {
    compiled: RwLock<Environment<'static>>,
}

/// A rendered email without its headers.
pub(super) struct Rendered {
    /// The block `subject`, on one line.
    pub subject: String,
    /// The plain text.
    pub text: String,
    pub html: String,
}

impl Templates {
    /// For emails of `company`, whose site is at `origin`. Compiles nothing yet.
    pub(super) fn new(company: &Company, origin: &str) -> Result<Self, Error> {
        let mut env = environment()?;
        env.add_filter("one_line", one_line_filter);
        env.add_filter("paragraphs", paragraphs);
        env.add_filter("pad", |label: &str| format!("{label:<9} "));
        env.add_filter("quoted", quoted);
        env.add_filter("line_breaks", line_breaks);
        env.add_filter("linked", linked);
        env.add_filter("tel", tel_link);
        env.add_filter("duration", minutes_in_words);
        env.add_filter("long_date", format_date);
        let company = context! {
            name => company.name.clone(),
            address => company.address(),
            phone => company.phone.clone(),
        };
        env.add_global("company", company);
        env.add_global("origin", origin.to_owned());
        Ok(Self {
            compiled: RwLock::new(env),
        })
    }

    /// Renders the email `name` with the variables `facts`. Fails if there is no such template, it
    /// is not valid, or it uses a variable that `facts` does not define or that is null.
    pub(super) fn render(&self, name: &str, facts: impl Serialize) -> Result<Rendered, Error> {
        let facts = Value::from(Serde(facts));
        let with_format = |format: &str| context! { format => format, ..facts.clone() };
        let env = self.compile(name)?;
        let text = env.get_template(&format!("{name}.txt"))?;
        let mut text = text.render_captured(with_format("txt"))?;
        let subject = text.with_state_mut(|state| state.render_block("subject"))?;
        let html = env.get_template(&format!("{name}.html"))?;
        Ok(Rendered {
            subject: one_line(&subject, usize::MAX),
            html: html.render(with_format("html"))?,
            text: text.into_output(),
        })
    }

    /// The compiled templates, among them those of the email `name` in both formats, with their
    /// bases. Fails if one of them is not valid.
    pub(super) fn compile(
        &self,
        name: &str,
    ) -> Result<RwLockReadGuard<'_, Environment<'static>>, Error> {
        let compiled = self.compiled.read();
        if compiled.get_template(&format!("{name}.html")).is_ok() {
            return Ok(compiled);
        }
        drop(compiled);
        let mut env = self.compiled.write();
        for (format, layout) in LAYOUTS {
            env.add_template_owned(format!("layout.{format}"), layout)?;
            for (email, source) in emails() {
                if email == name || (email == ACCOUNT_BASE && name.starts_with("account/")) {
                    env.add_template_owned(format!("{email}.{format}"), source)?;
                }
            }
        }
        Ok(RwLockWriteGuard::downgrade(env))
    }
}

/// `text`, which is escaped if `value` was.
fn like(value: &Value, text: String) -> Value {
    if value.is_safe() {
        Value::from_safe_string(text)
    } else {
        Value::from(text)
    }
}

fn one_line_filter(value: Value, max: Option<usize>) -> Value {
    like(
        &value,
        one_line(&text_of(&value), max.unwrap_or(usize::MAX)),
    )
}

/// The paragraphs of a block, each on one line.
fn paragraphs(value: Value) -> Vec<Value> {
    let text = text_of(&value);
    let lines = text.split("\n\n").map(|text| one_line(text, usize::MAX));
    lines
        .filter(|line| !line.is_empty())
        .map(|line| like(&value, line))
        .collect()
}

/// Marks each line as quoted.
fn quoted(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(|line| format!("> {line}")).collect();
    lines.join("\n")
}

/// A text in HTML with its line breaks.
fn line_breaks(text: &str) -> Value {
    Value::from_safe_string(escape_html(text).replace('\n', "<br>"))
}

/// A text in HTML with its line breaks, whose addresses and phone numbers are links.
fn linked(text: &str) -> Value {
    let mut html = String::with_capacity(text.len() + 100);
    for part in text_parts(text) {
        let shown = escape_html(part.text).replace('\n', "<br>");
        match part.link() {
            Some(link) => {
                let link = escape_html(&link);
                html +=
                    &format!(r#"<a class="ink" href="{link}" style="color:#1f2933">{shown}</a>"#);
            }
            None => html += &shown,
        }
    }
    Value::from_safe_string(html)
}

/// `2026-12-01` as `Tuesday, December 1, 2026`.
fn format_date(day: &str) -> String {
    day.parse().map_or_else(|_| day.to_owned(), long_date)
}
