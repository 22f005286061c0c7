//! What the calls about offers touch of the application.

use http::area;

area! {
    /// What the calls about offers touch.
    Offers: time_zone, publisher, server, offer_keys, offer_previews, seal_key
}
