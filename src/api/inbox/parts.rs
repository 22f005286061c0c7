//! What the calls of the inbox touch of the application.

use http::area;

area! {
    /// What the calls of the inbox touch.
    Inbox: time_zone, publisher, forms, files, server, status_links,
        reply_templates
}
