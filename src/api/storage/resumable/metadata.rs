//! The headers of resumable uploads: `Upload-Metadata`, and those of a response.

use poem::Response;
use poem::http::{HeaderValue, StatusCode, header};

use crate::storage::conditions;
use crate::storage::dto::set;
use crate::storage::error_response::Result;
use domain::clock::Time;
use domain::storage::values::{cache_control, decode_base64, parse_metadata};
use storage::Refusal;
use storage::target::Description;

/// The values of `Upload-Metadata`: names, each with a value in base64.
pub(super) struct Metadata(Vec<(String, String)>);

impl Metadata {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut values = Vec::new();
        for pair in text
            .split(',')
            .map(str::trim)
            .filter(|pair| !pair.is_empty())
        {
            let (name, value) = pair.split_once(' ').unwrap_or((pair, ""));
            let value = decode_base64(value).and_then(|bytes| String::from_utf8(bytes).ok());
            let wrong = || Refusal::invalid("Upload-Metadata is malformed");
            values.push((name.to_owned(), value.ok_or_else(wrong)?));
        }
        Ok(Self(values))
    }

    fn get(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter();
        let found = values.find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(super) fn required(&self, name: &str) -> Result<String> {
        let value = self.get(name).filter(|value| !value.is_empty());
        let missing = || Refusal::invalid(format!("Upload-Metadata has no {name}"));
        Ok(value.ok_or_else(missing)?.to_owned())
    }

    pub(super) fn description(&self) -> Result<Description> {
        let metadata = self.get("metadata").unwrap_or_default();
        Ok(Description {
            media_type: self.get("contentType").unwrap_or_default().to_owned(),
            cache_control: cache_control(self.get("cacheControl").unwrap_or_default()),
            metadata: parse_metadata(metadata.as_bytes())?,
            sender: None,
        })
    }
}

/// The media type of a body with bytes of the file.
pub(super) const BYTES: &str = "application/offset+octet-stream";

pub(super) fn no_content() -> Response {
    Response::builder().status(StatusCode::NO_CONTENT).finish()
}

pub(super) fn add_offset(response: &mut Response, offset: u64) {
    let headers = response.headers_mut();
    headers.insert("upload-offset", HeaderValue::from(offset));
}

pub(super) fn add_expiry(response: &mut Response, expires_at: Time) {
    let date = conditions::http_date(expires_at);
    let name = header::HeaderName::from_static("upload-expires");
    set(response.headers_mut(), name, &date.unwrap_or_default());
}
