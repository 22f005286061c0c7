//! Calls that make signed URLs, for admins. Paths in the answers are not percent-encoded: the
//! public client encodes the whole URL.

use poem::Response;
use serde_json::{Value, json};

use super::dto::json;
use super::error_response::Result;
use super::paths::ObjectPath;
use super::storage_request::{Fields, StorageRequest, wrong_field};

/// The longest lifetime of a signed URL, in seconds: a week.
const MAX_SECONDS: u32 = 604_800;
/// Maximum number of URLs made by one call.
const MAX_URLS: usize = 1_000;
/// The error of a missing object among several.
const MISSING: &str = "Either the object does not exist or you do not have access to it";

fn seconds(fields: &Fields) -> Result<u32> {
    let expected = "a whole number of seconds between 1 and 604800";
    let wrong = || wrong_field("expiresIn", expected);
    let seconds = fields.number("expiresIn", 1).map_err(|_| wrong())?;
    seconds
        .filter(|seconds| *seconds <= MAX_SECONDS)
        .ok_or_else(wrong)
}

fn signed_url(bucket: &str, key: &str, token: &str) -> String {
    format!("/object/sign/{bucket}/{key}?token={token}")
}

/// `POST /object/sign/{bucket}/{key}`.
pub(super) async fn sign(mut call: StorageRequest<'_>, path: ObjectPath) -> Result<Response> {
    call.admin().await?;
    let fields = call.json().await?;
    if fields.get("transform").is_some() || fields.get("versionId").is_some() {
        return Err(storage::Code::FeatureNotEnabled.into());
    }
    let seconds = seconds(&fields)?;
    let ObjectPath { bucket, key } = path;
    let files = call.app.files;
    let token = files
        .sign_download(bucket.clone(), key.clone(), seconds)
        .await?;
    let url = signed_url(&bucket, &key, &token);
    Ok(json(&json!({ "signedURL": url })))
}

/// `POST /object/sign/{bucket}`.
pub(super) async fn sign_many(mut call: StorageRequest<'_>, bucket: String) -> Result<Response> {
    call.admin().await?;
    let fields = call.json().await?;
    let (seconds, paths) = (seconds(&fields)?, fields.texts("paths", MAX_URLS)?);
    let files = call.app.files;
    let signed = files.sign_downloads(bucket.clone(), paths, seconds).await?;
    let entries = signed.into_iter().map(|(path, token)| match token {
        Some(token) => json!({
            "error": null,
            "signedURL": signed_url(&bucket, &path, &token),
            "path": path,
        }),
        None => json!({ "error": MISSING, "path": path, "signedURL": null }),
    });
    Ok(json(&Value::Array(entries.collect())))
}

/// `POST /object/upload/sign/{bucket}/{key}`.
pub(super) async fn sign_upload(
    mut call: StorageRequest<'_>,
    path: ObjectPath,
) -> Result<Response> {
    let (admin, upsert) = call.admin_and_upsert().await?;
    call.json().await?;
    let ObjectPath { bucket, key } = path;
    let files = call.app.files;
    let token = files
        .sign_upload(admin.user.id, bucket.clone(), key.clone(), upsert)
        .await?;
    let url = format!("/object/upload/sign/{bucket}/{key}?token={token}");
    Ok(json(&json!({ "url": url, "token": token })))
}
