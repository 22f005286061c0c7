//! The fields of a URL-encoded form post, also of one that is cut off: the visitor's text is
//! returned.

use std::collections::BTreeMap;

use domain::form::Form;

/// The media type of accepted posts.
pub const URLENCODED: &str = "application/x-www-form-urlencoded";

/// The button of a rejected form that sends it with one field corrected: its value is the field.
pub const FIX: &str = "fix";

/// Submitted values by field name.
pub type Fields = BTreeMap<String, String>;

/// Corrects the field whose button was pressed; what does not fit into it goes to the message.
pub fn apply_fix(form: &Form, fields: &mut Fields) {
    let Some(name) = fields.remove(FIX) else {
        return;
    };
    let raw = fields.get(&name).map_or("", String::as_str);
    let Some(fix) = form.fix(&name, raw) else {
        return;
    };
    fields.insert(name, fix.value);
    if let Some((line, message)) = fix.moved.zip(form.message_field()) {
        let text = fields.entry(message.name.clone()).or_default();
        let whole = format!("{}\n{line}", text.trim_end());
        whole.trim_start().clone_into(text);
    }
}

/// The values of the form's own fields, and of the button that corrects one; others are ignored.
pub fn parse(form: &Form, body: &[u8]) -> Fields {
    // Never fails: broken escapes and invalid UTF-8 are replaced.
    let pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(body).unwrap_or_default();
    pairs
        .into_iter()
        .filter(|(name, _)| is_known(form, name))
        .collect()
}

/// Whether a form may have a field with this name.
pub fn is_known(form: &Form, name: &str) -> bool {
    name == FIX || form.fields().iter().any(|field| field.name == name)
}
