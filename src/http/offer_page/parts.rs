//! What the pages touch of the application.

use crate::area;

area! {
    /// What the customer's pages of offers are made of.
    OfferPages: store, clock, time_zone, pages, bodies, files, auth, offer_keys, offer_posts, offer_previews,
        seal_key, status_links
}
