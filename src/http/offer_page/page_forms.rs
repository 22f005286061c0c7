//! The forms of the page: accept, decline and ask.

use std::fmt::Write;

use super::page::Page;
use domain::offer::document::{Consent, from_json};
use site::placeholders::escape_html;

impl Page<'_> {
    pub(super) fn accept_form(&self) -> String {
        let form = self.form;
        let consent = self.consent();
        let mut html = format!(
            "<section id=\"accept\" aria-labelledby=\"accept-heading\">\
             <h2 id=\"accept-heading\">Accept</h2>\n{}",
            self.begin("accept")
        );
        html += &self.input(
            "name",
            "Your name",
            &form.name,
            "autocomplete=\"name\" required",
        );
        let optional = "Your title (if you sign for a company)";
        html += &self.input(
            "title",
            optional,
            &form.title,
            "autocomplete=\"organization-title\"",
        );
        let attributes = "type=\"email\" autocomplete=\"email\" required";
        html += &self.input("email", "Your email address", &form.email, attributes);
        html += &self.code_field();
        let another = match form.asks_code {
            true => {
                "<button class=\"button button-line\" type=\"submit\" name=\"another\" value=\"code\">\
                 Send another code</button>"
            }
            false => "",
        };
        let checked = if form.has_consent { " checked" } else { "" };
        let (error, described) = self.error("consent");
        let _ = write!(
            html,
            "<div class=\"field\"><label class=\"field-check\"><input type=\"checkbox\" id=\"consent\" \
             name=\"consent\" value=\"yes\" required{checked}{described}> \
             <span>{}</span></label>{error}</div>\n\
             <p class=\"muted\">With your answer we record the time, your network address and your \
             browser, as proof for both sides. You get a receipt by email.</p>\n\
             <button class=\"button button-signal\" type=\"submit\" name=\"answer\" value=\"accept\">Accept this offer</button>\
             {another}</form></section>\n",
            escape_html(&consent)
        );
        html
    }

    /// The field for a code that was sent, and which address needs one.
    fn code_field(&self) -> String {
        if !self.form.asks_code {
            return "<p class=\"muted\">We have filled in the address that this offer was sent to. \
                    If you type another one, we send a code there first.</p>\n"
                .to_owned();
        }
        let attributes = "inputmode=\"numeric\" autocomplete=\"one-time-code\"";
        let label = "The code from our email";
        let input = self.input("code", label, &self.form.code, attributes);
        format!(
            "<p class=\"muted\">Type the address that we sent the code to. The address that this \
             offer was sent to needs no code.</p>\n{input}"
        )
    }

    /// The words beside the box, which are part of the stored offer.
    fn consent(&self) -> String {
        let stored = from_json(&self.opened.stored.json);
        let consent = stored.map_or_else(|_| Consent::sample(), |document| document.consent);
        consent.text
    }

    pub(super) fn decline_form(&self) -> String {
        let area = self.area("reason", "Why (optional)", &self.form.reason, "");
        format!(
            "<details id=\"decline\" class=\"answer\"{}>\
             <summary class=\"button button-line\">Decline this offer</summary>\n{}{area}\
             <button class=\"button button-line\" type=\"submit\" name=\"answer\" value=\"decline\">\
             Decline</button></form></details>\n",
            self.is_open("reason", &self.form.reason),
            self.begin("decline")
        )
    }

    pub(super) fn question_form(&self) -> String {
        let area = self.area(
            "question",
            "Your question",
            &self.form.question,
            " required",
        );
        format!(
            "<details id=\"ask\" class=\"answer\"{}><summary class=\"button button-line\">\
             Ask a question</summary>\n{}{area}\
             <button class=\"button button-line\" type=\"submit\" name=\"answer\" value=\"ask\">\
             Send the question</button></form></details>\n",
            self.is_open("question", &self.form.question),
            self.begin("ask")
        )
    }

    fn is_open(&self, field: &str, value: &str) -> &'static str {
        match self.form.error(field) {
            None if value.is_empty() => "",
            _ => " open",
        }
    }

    /// The beginning of a form; Enter in a field sends the same answer as its button.
    fn begin(&self, answer: &str) -> String {
        format!(
            "<form class=\"offer-form\" method=\"post\" action=\"{}\">\
             <input type=\"hidden\" name=\"answer\" value=\"{answer}\">\n",
            self.path
        )
    }

    fn input(&self, name: &'static str, label: &str, value: &str, attributes: &str) -> String {
        let (error, described) = self.error(name);
        format!(
            "<div class=\"field\"><label for=\"{name}\">{label}</label>\
             <input class=\"input\" id=\"{name}\" name=\"{name}\" value=\"{}\" \
             {attributes}{described}>{error}</div>\n",
            escape_html(value)
        )
    }

    fn area(&self, name: &'static str, label: &str, value: &str, attributes: &str) -> String {
        let (error, described) = self.error(name);
        format!(
            "<div class=\"field\"><label for=\"{name}\">{label}</label>\
             <textarea class=\"input\" id=\"{name}\" name=\"{name}\" rows=\"4\"{attributes}{described}>\
             {}</textarea>\
             {error}</div>\n",
            escape_html(value)
        )
    }

    /// The message of a field, and the attributes that refer to it.
    fn error(&self, field: &str) -> (String, String) {
        match self.form.error(field) {
            None => Default::default(),
            Some(message) => (
                format!(
                    "<p class=\"field-error\" id=\"{field}-error\">{}</p>",
                    escape_html(message)
                ),
                format!(" aria-invalid=\"true\" aria-describedby=\"{field}-error\""),
            ),
        }
    }
}
