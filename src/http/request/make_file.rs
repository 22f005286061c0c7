//! Makes the files of a response.

use poem::http::StatusCode;

use super::problem::Problem;

/// What `make` gives, on a blocking thread. `what` begins the sentence of the error, as in
/// `The PDF`. Errors: 500; the log says why.
pub async fn make_file<T: Send + 'static>(
    what: &'static str,
    make: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, Problem> {
    let made = tokio::task::spawn_blocking(make).await;
    let made = made.map_err(|error| error.to_string());
    made.and_then(|made| made).map_err(|error| {
        tracing::error!(error, what, "a file cannot be made");
        let detail = format!("{what} cannot be made. The log says why.");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    })
}
