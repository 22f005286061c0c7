//! The layout of all emails, as plain text and as HTML. Mail clients remove style sheets and scripts,
//! so the HTML uses tables and inline styles.

use super::one_line;
use crate::config::Company;
use crate::site::placeholders::escape_html;

/// Maximum code points of a fact; longer than any single-line field.
const FACT_MAX: usize = 250;

/// Dark mode, for mail clients that support style sheets; the others show the inline colors.
const DARK: &str = "<style>@media (prefers-color-scheme:dark){.ground{background:#0b1420!important}.card{background:#111d2c!important;border-color:#26384c!important}\
.ink{color:#e6edf5!important}.soft{color:#a7b6c7!important}.line{border-color:#26384c!important}.said{background:#172637!important;color:#e6edf5!important}\
.open{background:#d9e4f0!important;color:#0b1420!important}}</style>";

/// The parts of an email in display order. Empty parts are omitted.
#[derive(Default)]
pub(super) struct EmailBody {
    pub heading: String,
    /// Preview text beside the subject in an inbox; hidden in the email itself.
    pub preview: String,
    pub urgent: Option<String>,
    pub lead: Vec<String>,
    pub code: Option<String>,
    pub facts: Vec<Fact>,
    pub passage: Option<(String, String)>,
    pub action: Option<Action>,
    pub notes: Vec<String>,
}

/// One fact with its label.
pub(super) struct Fact {
    label: &'static str,
    value: String,
    link: Option<String>,
}

impl Fact {
    pub(super) fn new(label: &'static str, value: &str) -> Self {
        Self {
            label,
            value: one_line(value, FACT_MAX),
            link: None,
        }
    }

    pub(super) fn linked(label: &'static str, value: &str, link: String) -> Self {
        Self {
            link: Some(link),
            ..Self::new(label, value)
        }
    }
}

/// The button of the email.
pub(super) struct Action {
    pub label: String,
    pub link: String,
}

impl EmailBody {
    /// As plain text.
    pub(super) fn text(&self, company: &Company) -> String {
        let mut parts = vec![self.heading.clone()];
        parts.extend(self.urgent.clone());
        parts.extend(self.lead.clone());
        parts.extend(self.code.clone());
        let facts: Vec<_> = self
            .known_facts()
            .map(|fact| format!("{:<10}{}", fact.label, fact.value))
            .collect();
        parts.extend((!facts.is_empty()).then(|| facts.join("\n")));
        if let Some((label, text)) = &self.passage {
            let quoted: Vec<_> = text.lines().map(|line| format!("> {line}")).collect();
            parts.push(format!("{label}:\n{}", quoted.join("\n")));
        }
        parts.extend(
            self.action
                .as_ref()
                .map(|action| format!("{}:\n{}", action.label, action.link)),
        );
        parts.extend((!self.notes.is_empty()).then(|| self.notes.join("\n")));
        parts.push(format!(
            "-- \n{}\n{}\n{}",
            company.name,
            company.address(),
            company.phone
        ));
        parts.join("\n\n") + "\n"
    }

    /// As HTML that survives real mail clients.
    pub(super) fn html(&self, company: &Company, origin: &str) -> String {
        let mut body = format!(
            r#"<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:28px;color:#0d1b2a">{}</h1>"#,
            escape_html(&self.heading)
        );
        if let Some(urgent) = &self.urgent {
            body += &format!(
                r#"<p class="ink" style="margin:0 0 16px;padding:4px 0 4px 12px;border-left:4px solid #ffb81c;color:#0d1b2a;font-weight:bold">{}</p>"#,
                escape_html(urgent)
            );
        }
        for paragraph in &self.lead {
            body += &paragraph_html(paragraph, "ink", "#1f2933");
        }
        if let Some(code) = &self.code {
            body += &format!(
                r#"<p class="ink" style="margin:0 0 20px;font-family:Consolas,Menlo,monospace;font-size:30px;line-height:36px;letter-spacing:6px;color:#0d1b2a"><strong>{}</strong></p>"#,
                escape_html(code)
            );
        }
        for fact in self.known_facts() {
            if let Some(link) = &fact.link {
                let label = format!("{} {}", fact.label, fact.value);
                body += &button_html("", "#ffb81c", "#0d1b2a", link, &label);
            }
        }
        body += &self.facts_html();
        if let Some((label, text)) = &self.passage {
            body += &format!(
                r#"<p class="soft" style="margin:0 0 4px;font-size:14px;color:#52606d">{}</p><p class="said" style="margin:0 0 20px;padding:12px 16px;background:#f2f4f7;color:#1f2933">{}</p>"#,
                escape_html(label),
                escape_html(text).replace('\n', "<br>")
            );
        }
        if let Some(action) = &self.action {
            body += &button_html("open", "#0d1b2a", "#ffffff", &action.link, &action.label);
        }
        for note in &self.notes {
            body += &paragraph_html(note, "soft", "#52606d");
        }
        page(&self.heading, &self.preview, &body, company, origin)
    }

    fn facts_html(&self) -> String {
        let rows: String = self
            .known_facts()
            .filter(|fact| fact.link.is_none())
            .map(fact_html)
            .collect();
        if rows.is_empty() {
            return rows;
        }
        format!(
            r#"<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px;border-collapse:collapse">{rows}</table>"#
        )
    }

    fn known_facts(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(|fact| !fact.value.is_empty())
    }
}

fn fact_html(fact: &Fact) -> String {
    format!(
        r#"<tr><td class="soft line" valign="top" width="80" style="padding:8px 12px 8px 0;border-top:1px solid #d9dfe6;font-size:14px;color:#52606d">{}</td><td class="ink line" valign="top" style="padding:8px 0;border-top:1px solid #d9dfe6;color:#1f2933">{}</td></tr>"#,
        escape_html(fact.label),
        escape_html(&fact.value)
    )
}

fn paragraph_html(text: &str, class: &str, color: &str) -> String {
    format!(
        r#"<p class="{class}" style="margin:0 0 16px;color:{color}">{}</p>"#,
        escape_html(text)
    )
}

/// A full-width link.
fn button_html(class: &str, ground: &str, ink: &str, link: &str, label: &str) -> String {
    format!(
        r#"<p style="margin:0 0 16px"><a class="{class}" href="{}" style="display:block;padding:14px 16px;background:{ground};color:{ink};font-weight:bold;text-align:center;text-decoration:none;border-radius:4px">{}</a></p>"#,
        escape_html(link),
        escape_html(label)
    )
}

/// The page frame: company name above, address below. Long words may break, because a pasted URL
/// would otherwise widen the page beyond a phone's screen.
fn page(title: &str, preview: &str, body: &str, company: &Company, origin: &str) -> String {
    let (title, preview, name) = (
        escape_html(title),
        escape_html(preview),
        escape_html(&company.name),
    );
    let (address, phone_href) = (company.address(), company.phone_href());
    let (origin, address) = (escape_html(origin), escape_html(&address));
    let (phone, phone_href) = (escape_html(&company.phone), escape_html(&phone_href));
    format!(
        r##"<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>{title}</title>{DARK}</head>
<body class="ground" style="margin:0;padding:0;background:#eef1f5">
<div style="display:none;max-height:0;overflow:hidden">{preview}</div>
<table class="ground" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#eef1f5"><tr><td align="center" style="padding:24px 12px">
<table class="card" role="presentation" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;background:#ffffff;border:1px solid #d9dfe6">
<tr><td style="padding:16px 24px;background:#0d1b2a;font-family:Arial,Helvetica,sans-serif;font-size:16px;font-weight:bold"><a href="{origin}/" style="color:#ffffff;text-decoration:none">{name}</a></td></tr>
<tr><td style="padding:24px;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:24px;word-break:break-word">
{body}
</td></tr>
<tr><td class="soft line" style="padding:16px 24px;border-top:1px solid #d9dfe6;font-family:Arial,Helvetica,sans-serif;font-size:13px;line-height:20px;color:#52606d">{name}, {address}<br><a class="soft" href="{phone_href}" style="color:#52606d">{phone}</a></td></tr>
</table>
</td></tr></table>
</body>
</html>
"##
    )
}
