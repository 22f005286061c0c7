//! Common parts of requests to the storage service: the admin, JSON bodies, queries.

use poem::Request;
use poem::http::header;
use serde_json::{Map, Value};

use super::error_response::{ErrorResponse, Result};
use crate::bearer::identify;
use auth::SignedInUser;
use http::area;
use http::request::client_address::Client;
use http::request::strict_json::UniqueKeys;
use http::request::{body, permissions};
use storage::resumable::Uploader;
use storage::{Code, Refusal};

/// Maximum length of a JSON body, in bytes.
const MAX_JSON_BYTES: usize = 1024 * 1024;

area! {
    /// What the calls of the storage service touch.
    FileCalls: files, auth, bodies, downloads
}

/// A request to the service.
pub struct StorageRequest<'a> {
    /// What calls touch.
    pub app: FileCalls<'a>,
    /// The request.
    pub request: Request,
}

impl StorageRequest<'_> {
    /// The uploader of a resumable upload: the holder of an upload token, or an admin. Errors:
    /// `AccessDenied`.
    pub async fn uploader(&self, signed: bool) -> Result<Uploader> {
        if signed {
            return self.token_holder();
        }
        let user_id = self.admin().await?.user.id;
        Ok(Uploader::Admin { user_id })
    }

    /// The uploader who begins a resumable upload, and whether it may replace a file; an upload
    /// token says that itself. Errors: `AccessDenied`.
    pub async fn uploader_and_upsert(&self, signed: bool) -> Result<(Uploader, bool)> {
        if signed {
            return Ok((self.token_holder()?, false));
        }
        let (admin, upsert) = self.admin_and_upsert().await?;
        let user_id = admin.user.id;
        Ok((Uploader::Admin { user_id }, upsert))
    }

    fn token_holder(&self) -> Result<Uploader> {
        match self.header("x-signature") {
            Some(token) => Ok(self.app.files.token_caller(token)?),
            None => Err(Refusal::new(Code::AccessDenied, "x-signature is missing").into()),
        }
    }

    /// The caller, whose role allows the call. Errors: `AccessDenied`.
    pub async fn admin(&self) -> Result<SignedInUser> {
        self.allowed(self.request.method().as_str()).await
    }

    /// The caller, whose role allows to store a file, and whether it may replace one: `x-upsert` is
    /// exactly `true`. Errors: `AccessDenied`.
    pub async fn admin_and_upsert(&self) -> Result<(SignedInUser, bool)> {
        let upsert = self.upsert();
        let caller = match upsert {
            true => self.allowed(permissions::REPLACE).await?,
            false => self.admin().await?,
        };
        Ok((caller, upsert))
    }

    async fn allowed(&self, method: &str) -> Result<SignedInUser> {
        let caller = identify(&self.request).await?;
        let path = self.request.uri().path();
        permissions::require(self.app.auth, &caller, method, path)?;
        Ok(caller)
    }

    fn upsert(&self) -> bool {
        self.header("x-upsert") == Some("true")
    }

    /// The client.
    pub fn client(&self) -> Result<&Client> {
        let client = self.request.data::<Client>();
        client.ok_or_else(ErrorResponse::not_found)
    }

    /// Whether the request has a bearer.
    pub fn has_bearer(&self) -> bool {
        self.request.headers().contains_key(header::AUTHORIZATION)
    }

    /// A header as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.request.headers().get(name)?.to_str().ok()
    }

    /// The announced length of the body.
    pub fn content_length(&self) -> Option<u64> {
        self.header("content-length")?.parse().ok()
    }

    /// The parameters of the query.
    pub fn query(&self) -> Vec<(String, String)> {
        let query = self.request.uri().query().unwrap_or_default();
        serde_urlencoded::from_str(query).unwrap_or_default()
    }

    /// One parameter of the query.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let mut query = self.query().into_iter();
        query.find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Refuses versions of objects, which are not supported. Errors: `FeatureNotEnabled`.
    pub fn refuse_version(&self) -> Result<()> {
        match self.parameter("versionId") {
            None => Ok(()),
            Some(_) => Err(Code::FeatureNotEnabled.into()),
        }
    }

    /// The JSON object of the body; an empty body is an empty object. Errors: `InvalidRequest`;
    /// `SlowDown` if there is no memory for the body.
    pub async fn json(&mut self) -> Result<Fields> {
        let body = self.request.take_body();
        let mut lease = self.app.bodies.lease(self.client()?.address);
        let timeout = self.app.bodies.timeout;
        let headers = self.request.headers();
        let bytes = body::read(headers, body, MAX_JSON_BYTES, timeout, &mut lease).await?;
        if bytes.is_empty() {
            return Ok(Fields(Map::new()));
        }
        if !body::has_media_type("application/json", headers) {
            return Err(Refusal::invalid("Send the body as application/json").into());
        }
        let object: UniqueKeys = serde_json::from_slice(&bytes)
            .map_err(|error| Refusal::invalid(format!("The body is not a JSON object: {error}")))?;
        Ok(Fields(object.0))
    }
}

/// The fields of a JSON body. `null` counts as absent.
#[derive(Clone, Debug, Default)]
pub struct Fields(pub Map<String, Value>);

/// A field has the wrong type or value.
pub fn wrong_field(name: &str, expected: &str) -> ErrorResponse {
    Refusal::invalid(format!("`{name}` must be {expected}")).into()
}

impl Fields {
    /// A field that is not `null`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// A text. Fails if it has another type.
    pub fn text(&self, name: &str) -> Result<Option<&str>> {
        let text = |value: &'_ Value| value.is_string();
        match self.get(name) {
            Some(value) if !text(value) => Err(wrong_field(name, "a string")),
            value => Ok(value.and_then(Value::as_str)),
        }
    }

    /// A text that must be present. Fails if it is absent, empty or of another type.
    pub fn required(&self, name: &str) -> Result<&str> {
        let text = self.text(name)?.filter(|text| !text.is_empty());
        text.ok_or_else(|| wrong_field(name, "a string that is not empty"))
    }

    /// A truth value. Fails if it has another type.
    pub fn boolean(&self, name: &str) -> Result<Option<bool>> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(*value)),
            Some(_) => Err(wrong_field(name, "true or false")),
        }
    }

    /// A whole number of at least `min`. Fails if it has another type, or is out of range.
    pub fn number(&self, name: &str, min: u32) -> Result<Option<u32>> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let whole = value.as_u64().or_else(|| {
            // JSON does not distinguish 60 from 60.0.
            let number = value.as_f64().filter(|n| n.fract() == 0.0 && *n >= 0.0)?;
            Some(number.min(u32::MAX.into()) as u64)
        });
        let number = whole.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        match number.filter(|number| *number >= min) {
            Some(number) => Ok(Some(number)),
            None => Err(wrong_field(
                name,
                &format!("a whole number of at least {min}"),
            )),
        }
    }

    /// A list of texts with between one and `max` entries. Fails if it is absent, of another type
    /// or length.
    pub fn texts(&self, name: &str, max: usize) -> Result<Vec<String>> {
        let texts = self.get(name).and_then(Value::as_array).and_then(|list| {
            let texts = list.iter().map(|entry| entry.as_str().map(str::to_owned));
            texts.collect::<Option<Vec<_>>>()
        });
        texts
            .filter(|texts| (1..=max).contains(&texts.len()))
            .ok_or_else(|| wrong_field(name, &format!("a list of 1 to {max} strings")))
    }

    /// The order of a list, in `sortBy`. Fails if a part has another type, or the order is unknown.
    pub fn sorting(&self) -> Result<SortBy> {
        let sort_by = match self.get("sortBy") {
            None => Self::default(),
            Some(Value::Object(fields)) => Self(fields.clone()),
            Some(_) => return Err(wrong_field("sortBy", "an object")),
        };
        let descending = match sort_by.text("order")?.unwrap_or("asc") {
            "asc" => false,
            "desc" => true,
            _ => return Err(wrong_field("sortBy.order", "`asc` or `desc`")),
        };
        let column = sort_by.text("column")?.unwrap_or("name");
        Ok(SortBy {
            column: column.to_owned(),
            descending,
        })
    }
}

/// The order of a list, as a client names it.
pub struct SortBy {
    pub column: String,
    pub descending: bool,
}
