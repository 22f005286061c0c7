//! Liveness and readiness checks.

use poem::{Addr, Request};
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Object, OpenApi};

use crate::tags::Tag;
use http::Uses;
use http::server::system_status::System;

/// Exempt from `limits.api_per_minute`, because a supervisor or load balancer that gets a 429 would
/// take the server out of service.
pub const PATHS: [&str; 2] = ["/healthz", "/readyz"];

/// The health status.
#[derive(Object)]
struct Health {
    /// `ok`, or the failure.
    status: String,
}

#[derive(ApiResponse)]
enum ReadyResponse {
    /// The last writes and reads of the database succeeded, and all background tasks are running.
    #[oai(status = 200)]
    Ok(Json<Health>),
    /// They failed; `status` has the reason for a call on the machine itself, and is
    /// `unavailable` for others.
    #[oai(status = 503)]
    Unavailable(Json<Health>),
}

/// The operator's endpoints.
pub struct Operations;

#[OpenApi(tag = "Tag::Operations")]
impl Operations {
    /// Liveness: does the process respond?
    #[oai(path = "/healthz", method = "get", operation_id = "healthz")]
    async fn healthz(&self) -> Json<Health> {
        Json(Health {
            status: "ok".to_owned(),
        })
    }

    /// Readiness: can the server store requests?
    ///
    /// Reports the last writes and reads. Probes the database at most once in five seconds.
    #[oai(path = "/readyz", method = "get", operation_id = "readyz")]
    async fn readyz(&self, system: Uses<System<'_>>, request: &Request) -> ReadyResponse {
        let down = system.tasks.down();
        let status = match system.store.ready().await {
            Ok(()) if down.is_empty() => {
                return ReadyResponse::Ok(Json(Health {
                    status: "ok".to_owned(),
                }));
            }
            Ok(()) => format!("background tasks are down: {}", down.join(", ")),
            Err(status) => status,
        };
        let status = match is_local(request) {
            true => status,
            false => "unavailable".to_owned(),
        };
        ReadyResponse::Unavailable(Json(Health { status }))
    }
}

/// Headers of proxies, which act for others.
const FORWARDED: [&str; 4] = ["x-forwarded-for", "x-real-ip", "forwarded", "via"];

/// Whether the request was made on this machine, and no proxy has passed it on.
fn is_local(request: &Request) -> bool {
    let Addr::SocketAddr(peer) = &request.remote_addr().0 else {
        return false;
    };
    let is_forwarded = FORWARDED
        .iter()
        .any(|name| request.headers().contains_key(*name));
    peer.ip().to_canonical().is_loopback() && !is_forwarded
}
