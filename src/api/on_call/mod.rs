//! On call: the rota, how people are reached, alarms, and pushes.

mod alarms;
mod dto;
mod push;
mod rota;

use poem_openapi::OpenApi;

/// All calls about who is on call.
pub fn endpoints() -> impl OpenApi {
    (rota::RotaApi, alarms::AlarmApi, push::PushApi)
}
