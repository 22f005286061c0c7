//! The page of a rejected form, without JavaScript: the prerendered page with the submitted values
//! and an error beside each field.

use std::cell::RefCell;

use lol_html::errors::{AttributeNameError, RewritingError};
use lol_html::html_content::{ContentType, Element};
use lol_html::{RewriteStrSettings, element, rewrite_str};
use poem::{IntoResponse, Response};

use super::FormPages;
use crate::request::posted_fields::{FIX, Fields};
use crate::request::problem::Problem;
use domain::form::{Fix, Form};
use site::placeholders::escape_html;

/// The page of a rejected form.
pub(crate) fn rejected(
    app: &FormPages<'_>,
    path: &str,
    form: &Form,
    fields: &Fields,
    problem: &Problem,
) -> Response {
    let Some(page) = app.pages.current().html(path, "") else {
        return problem.clone().into_response();
    };
    match error_page(&String::from_utf8_lossy(&page), path, form, fields, problem) {
        Ok(html) => problem.clone().into_page(html),
        Err(error) => {
            tracing::error!(%error, path, "cannot render the page of a form");
            problem.clone().into_response()
        }
    }
}

/// The `page` of the form at `path`, with the submitted values and the error messages. Fails if the
/// page cannot be rewritten.
fn error_page(
    page: &str,
    path: &str,
    form: &Form,
    fields: &Fields,
    problem: &Problem,
) -> Result<String, RewritingError> {
    let rejected = RejectedForm {
        form,
        fields,
        problem,
    };
    let in_form = |part: &str| format!("form[action=\"{path}\"] {part}");
    let select = RefCell::new(String::new());
    let handlers = vec![
        element!(in_form("input[name]"), |input| Ok(
            rejected.fill_input(input)?
        )),
        element!(in_form("textarea[name]"), |area| {
            area.set_inner_content(rejected.value(&name_of(area)), ContentType::Text);
            Ok(rejected.mark_invalid(area)?)
        }),
        element!(in_form("select[name]"), |list| {
            *select.borrow_mut() = name_of(list);
            Ok(rejected.mark_invalid(list)?)
        }),
        element!(in_form("select[name] option"), |option| {
            let value = option.get_attribute("value").unwrap_or_default();
            let selected = value == rejected.value(&select.borrow());
            Ok(set_boolean(option, "selected", selected)?)
        }),
        element!(in_form(".field-error[id]"), |element| {
            rejected.show_message(element);
            Ok(())
        }),
        element!(in_form(".form-alert"), |element| {
            show_alert(element, problem.title(), problem.detail());
            Ok(())
        }),
    ];
    let settings = handlers.into_iter().fold(
        RewriteStrSettings::new(),
        RewriteStrSettings::append_element_content_handler,
    );
    rewrite_str(page, settings)
}

struct RejectedForm<'a> {
    form: &'a Form,
    fields: &'a Fields,
    problem: &'a Problem,
}

impl RejectedForm<'_> {
    fn value(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    fn message(&self, name: &str) -> Option<&str> {
        let mut fields = self.form.fields().iter();
        let field = fields.find(|field| field.name == name)?;
        self.problem.field_message(&field.key)
    }

    fn fill_input(&self, input: &mut Element<'_, '_>) -> Result<(), AttributeNameError> {
        let name = name_of(input);
        let kind = input.get_attribute("type");
        if kind.as_deref() == Some("hidden") {
            // Its value is the page's, not the visitor's.
            return Ok(());
        }
        if kind.as_deref() == Some("checkbox") {
            set_boolean(input, "checked", self.fields.contains_key(&name))?;
        } else {
            input.set_attribute("value", self.value(&name))?;
        }
        self.mark_invalid(input)
    }

    fn mark_invalid(&self, element: &mut Element<'_, '_>) -> Result<(), AttributeNameError> {
        match self.message(&name_of(element)) {
            Some(_) => element.set_attribute("aria-invalid", "true"),
            None => Ok(()),
        }
    }

    fn show_message(&self, element: &mut Element<'_, '_>) {
        let id = element.get_attribute("id").unwrap_or_default();
        // An id may have a prefix: the field's name is the part before `-error`.
        let name = id.trim_end_matches("-error").rsplit('-').next();
        if let Some(message) = name.and_then(|name| self.message(name)) {
            element.remove_attribute("hidden");
            element.set_inner_content(message, ContentType::Text);
        }
        if let Some(offer) = name.and_then(|name| self.offer(name)) {
            element.after(&offer, ContentType::Html);
        }
    }

    /// The corrected value of a refused field, and the button that sends the form with it, as
    /// `suggest-fix.tsx` renders them.
    fn offer(&self, name: &str) -> Option<String> {
        self.message(name)?;
        let Fix {
            value,
            found,
            moved,
        } = self.form.fix(name, self.value(name))?;
        let value = escape_html(&value);
        let (what, label) = match (found.as_str(), moved) {
            ("", Some(_)) => (
                String::new(),
                format!("Use {value} and add your spelling to the message"),
            ),
            ("", None) => (String::new(), format!("Use {value}")),
            (found, _) => {
                let found = escape_html(found);
                let what =
                    format!("<p>We cannot take <code>{found}</code>. Instead: “{value}”</p>");
                (what, "Fix it for me".to_owned())
            }
        };
        Some(format!(
            "<div class=\"field-fix\">{what}<button type=\"submit\" name=\"{FIX}\" \
             value=\"{name}\" class=\"button button-quiet\">{label}</button></div>"
        ))
    }
}

/// Shows the hidden alert of a form with a title and a text.
fn show_alert(element: &mut Element<'_, '_>, title: &str, text: &str) {
    element.remove_attribute("hidden");
    element.set_inner_content(title, ContentType::Text);
    element.prepend("<strong>", ContentType::Html);
    element.append("</strong> ", ContentType::Html);
    element.append(text, ContentType::Text);
}

fn name_of(element: &Element<'_, '_>) -> String {
    element.get_attribute("name").unwrap_or_default()
}

fn set_boolean(
    element: &mut Element<'_, '_>,
    name: &str,
    on: bool,
) -> Result<(), AttributeNameError> {
    if on {
        return element.set_attribute(name, "");
    }
    element.remove_attribute(name);
    Ok(())
}
