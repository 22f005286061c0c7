//! The paths of the forms and of their confirmation.

use poem::http::Uri;

/// The path of the quote form's page, which is also the form's action.
pub const QUOTE: &str = "/quote";

/// The path of the contact form's page, which is also the form's action.
pub const CONTACT: &str = "/contact";

/// The path of the careers page, whose form sends a contact message.
pub const CAREERS: &str = "/careers";

/// The pages with a form that posts to the page's own path.
pub const FORMS: [&str; 3] = [QUOTE, CONTACT, CAREERS];

/// The parameter of the confirmation that names the request, as the link of its status page does.
pub(super) const REFERENCE: &str = "reference=";

/// Whether the query names a reference, which is to be shown.
pub fn has_reference(uri: &Uri) -> bool {
    uri.query()
        .is_some_and(|query| query.split('&').any(|pair| pair.starts_with(REFERENCE)))
}
