//! JSON of buckets and objects in the format of the public client, and the responses with it.

use poem::Response;
use poem::http::{HeaderMap, HeaderValue, header};
use serde_json::{Value, json};

use store::storage::buckets::Bucket;
use store::storage::object_list::Entry;
use store::storage::objects::Object;

/// A bucket.
pub(super) fn bucket(bucket: &Bucket) -> Value {
    json!({
        "id": bucket.id,
        "name": bucket.name,
        "owner": bucket.owner.as_deref().unwrap_or_default(),
        "public": bucket.public,
        "type": "STANDARD",
        "file_size_limit": bucket.file_size_limit,
        "allowed_mime_types": bucket.allowed_mime_types,
        "created_at": bucket.created_at,
        "updated_at": bucket.updated_at,
    })
}

/// The strong entity tag of an object's bytes, with its quotes.
pub(super) fn etag(object: &Object) -> String {
    format!("\"{}\"", object.sha256)
}

fn metadata(object: &Object) -> Value {
    json!({
        "eTag": etag(object),
        "size": object.size,
        "mimetype": object.media_type,
        "cacheControl": object.cache_control,
        "lastModified": object.updated_at,
        "contentLength": object.size,
        "httpStatusCode": 200,
    })
}

/// The metadata that the sender stored.
fn user_metadata(object: &Object) -> Option<Value> {
    serde_json::from_str(object.user_metadata.as_deref()?).ok()
}

/// The row of an object, called `name` in this list.
pub(super) fn row(object: &Object, name: &str) -> Value {
    json!({
        "name": name,
        "id": object.id,
        "bucket_id": object.bucket_id,
        "owner": object.owner,
        "version": object.version,
        "created_at": object.created_at,
        "updated_at": object.updated_at,
        "last_accessed_at": object.created_at,
        "metadata": metadata(object),
        "user_metadata": user_metadata(object),
    })
}

/// A line of the list of a folder.
pub(super) fn entry(entry: &Entry) -> Value {
    match &entry.object {
        Some(object) => row(object, &entry.name),
        None => json!({
            "name": entry.name,
            "id": null,
            "updated_at": null,
            "created_at": null,
            "last_accessed_at": null,
            "metadata": null,
        }),
    }
}

/// The response of `info` for an object.
pub(super) fn info(object: &Object) -> Value {
    json!({
        "id": object.id,
        "name": object.name,
        "version": object.version,
        "bucket_id": object.bucket_id,
        "size": object.size,
        "content_type": object.media_type,
        "content_encoding": null,
        "cache_control": object.cache_control,
        "etag": etag(object),
        "metadata": user_metadata(object),
        "last_modified": object.updated_at,
        "created_at": object.created_at,
    })
}

/// The bucket and key of an object.
pub(super) fn full_key(object: &Object) -> String {
    format!("{}/{}", object.bucket_id, object.name)
}

/// A JSON response.
pub(super) fn json(body: &Value) -> Response {
    Response::builder()
        .content_type("application/json; charset=utf-8")
        .header(header::CACHE_CONTROL, "no-store")
        .body(body.to_string())
}

/// Sets a header if the value is valid.
pub(super) fn set(headers: &mut HeaderMap, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}
