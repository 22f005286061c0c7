//! Whether the process lives, and whether it can do its work.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Object, OpenApi, Tags};

use super::App;

/// The calls of a supervisor or a load balancer: outside of `limits.api_per_minute`, because one
/// that is refused would take the server out of service.
pub const PATHS: [&str; 2] = ["/healthz", "/readyz"];

#[derive(Tags)]
enum Tag {
    /// For the operator's supervisor and load balancer.
    Operations,
}

/// How it stands.
#[derive(Object)]
struct Health {
    /// `ok`, or what is wrong.
    status: String,
}

#[derive(ApiResponse)]
enum Live {
    /// The process answers.
    #[oai(status = 200)]
    Ok(Json<Health>),
}

#[derive(ApiResponse)]
enum Ready {
    /// The last writes and reads of the database were good, and the background tasks run.
    #[oai(status = 200)]
    Ok(Json<Health>),
    /// They were not; `status` says why.
    #[oai(status = 503)]
    No(Json<Health>),
}

/// The operator's calls.
pub struct Operations;

#[OpenApi(tag = "Tag::Operations")]
impl Operations {
    /// Is the process alive?
    #[oai(path = "/healthz", method = "get", operation_id = "healthz")]
    async fn healthz(&self) -> Live {
        Live::Ok(Json(Health {
            status: "ok".to_owned(),
        }))
    }

    /// Can it store a lead?
    ///
    /// Tells how the last writes and reads went. Writes and reads for this alone at most once in five seconds, however often it is asked.
    #[oai(path = "/readyz", method = "get", operation_id = "readyz")]
    async fn readyz(&self, app: Data<&Arc<App>>) -> Ready {
        let down = app.tasks.down();
        let status = match app.store.ready().await {
            Ok(()) if down.is_empty() => {
                return Ready::Ok(Json(Health {
                    status: "ok".to_owned(),
                }));
            }
            Ok(()) => format!("background tasks are down: {}", down.join(", ")),
            Err(status) => status,
        };
        Ready::No(Json(Health { status }))
    }
}
