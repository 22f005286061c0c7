//! The border to the crate `api`, which has the routes.

use futures_util::future::BoxFuture;
use poem::{Request, Response};

/// What answers requests that are not for a page: the router of the crate `api`.
pub trait Routes: Send + Sync + 'static {
    /// The response to a request.
    fn respond(&self, request: Request) -> BoxFuture<'_, Response>;

    /// The template of the route that matches `path`; `None` if no route does.
    fn template(&self, path: &str) -> Option<&str>;
}
