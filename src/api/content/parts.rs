//! What the calls about the content touch of the application.

use http::area;

area! {
    /// What the calls about the content touch.
    Content: clock, auth, publisher, pages, previews, files
}
