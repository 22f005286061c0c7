//! The rota: shifts, overrides and swaps, phone numbers, and the calendar's address.

use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;

use super::dto::{NewOverrides, OnCall, OnCallPerson, PhoneNumber, Rota, RotaOverride};
use crate::desk::{Admin, Desk};
use crate::tags::Tag;
use domain::clock::DAY_MS;
use domain::phone::e164;
use http::request::error_responses::AdminResult;
use http::request::problem::invalid;
use http::request::strict_json::StrictJson;
use http::{area, calendar};

/// What a number has to be: a call cannot dial an extension.
const NUMBER_EXPECTED: &str =
    "Write one number without an extension, as in +1 713 555 0142: the call cannot dial more.";

/// The days that are shown.
const DAYS_MS: i64 = 28 * DAY_MS;

area! {
    /// What the calls about the rota touch.
    RotaCalls: time_zone, alarms, auth
}

/// The calls about the rota.
pub struct RotaApi;

#[OpenApi(prefix_path = "/api/admin/on-call", tag = "Tag::OnCall")]
impl RotaApi {
    /// Who is on call
    #[oai(path = "/", method = "get", operation_id = "getOnCall")]
    async fn read(&self, desk: Desk<RotaCalls<'_>>) -> AdminResult<OnCall> {
        on_call(&desk).await
    }

    /// Replace the shifts
    #[oai(path = "/rota", method = "put", operation_id = "replaceRota")]
    async fn replace(
        &self,
        desk: Admin<RotaCalls<'_>>,
        body: StrictJson<Rota>,
    ) -> AdminResult<OnCall> {
        let (rota, now) = (body.0.parse()?, desk.now);
        desk.store.replace_shifts(rota, body.0.version, now).await?;
        on_call(&desk).await
    }

    /// Add overrides
    ///
    /// Another person for a time; a swap is two of them. The newest one counts.
    #[oai(path = "/overrides", method = "post", operation_id = "addOverrides")]
    async fn add(
        &self,
        desk: Admin<RotaCalls<'_>>,
        body: StrictJson<NewOverrides>,
    ) -> AdminResult<OnCall> {
        let overrides = body.0.parse()?;
        desk.store.add_overrides(overrides, desk.now).await?;
        on_call(&desk).await
    }

    /// Remove an override
    #[oai(
        path = "/overrides/:id",
        method = "delete",
        operation_id = "removeOverride"
    )]
    async fn remove(&self, desk: Admin<RotaCalls<'_>>, id: Path<i64>) -> AdminResult<OnCall> {
        desk.store.remove_override(id.0).await?;
        on_call(&desk).await
    }

    /// Set the number of a person
    #[oai(path = "/people/:id/phone", method = "put", operation_id = "setPhone")]
    async fn phone(
        &self,
        desk: Admin<RotaCalls<'_>>,
        id: Path<String>,
        body: StrictJson<PhoneNumber>,
    ) -> AdminResult<OnCall> {
        let people = desk.store.reachable(desk.now).await?;
        if !people.iter().any(|person| person.user_id == id.0) {
            return Err(store::Error::Missing.into());
        }
        let number = match body.0.phone.trim() {
            "" => None,
            text => {
                let wrong = || invalid("phone", NUMBER_EXPECTED);
                Some(e164(text).ok_or_else(wrong)?)
            }
        };
        desk.store.set_phone(id.0, number).await?;
        on_call(&desk).await
    }

    /// Give the calendar a new address
    ///
    /// The address before stops working.
    #[oai(path = "/calendar", method = "post", operation_id = "renewCalendar")]
    async fn renew(&self, desk: Admin<RotaCalls<'_>>) -> AdminResult<OnCall> {
        desk.store.renew_calendar().await?;
        on_call(&desk).await
    }
}

async fn on_call(desk: &Desk<RotaCalls<'_>>) -> AdminResult<OnCall> {
    let now = desk.now;
    let stored = desk.store.rota(now).await?;
    let people = desk.store.reachable(now).await?.into_iter();
    let people = people.map(|person| OnCallPerson {
        id: person.user_id,
        email: person.email,
        name: person.name,
        phone: person.phone,
        devices: u32::try_from(person.devices.len()).unwrap_or(u32::MAX),
    });
    let until = now.plus_millis(DAYS_MS);
    let spans = stored.rota.shown_spans(desk.time_zone, now, until);
    let ids = stored.override_ids.iter();
    Ok(Json(OnCall {
        rota: Rota::of(&stored.rota, stored.version),
        overrides: ids
            .zip(&stored.rota.overrides)
            .map(|(id, it)| RotaOverride {
                id: *id,
                time: it.clone(),
            })
            .collect(),
        spans,
        people: people.collect(),
        calendar: format!(
            "{}{}",
            calendar::PREFIX,
            calendar::name(desk.auth, stored.calendar)
        ),
        time_zone: desk.time_zone.name().to_owned(),
        calls: desk.alarms.rules.calls,
        sms: desk.alarms.rules.sms,
    }))
}
