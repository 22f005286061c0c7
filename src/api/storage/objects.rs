//! Calls that move, copy and remove objects, all for admins.

use poem::Response;
use serde_json::{Value, json};

use super::dto::{self, json};
use super::error_response::Result;
use super::paths::ObjectPath;
use super::storage_request::{Fields, StorageRequest, wrong_field};
use domain::storage::values::{cache_control, decode_metadata};
use storage::Code;
use storage::objects::{CopyOptions, Route};

/// Maximum number of objects removed by one call.
const MAX_REMOVED: usize = 1_000;

fn route(fields: &Fields) -> Result<Route> {
    let bucket = fields.required("bucketId")?.to_owned();
    if fields.get("versionId").is_some() || fields.get("sourceVersionId").is_some() {
        return Err(Code::FeatureNotEnabled.into());
    }
    let to_bucket = fields
        .text("destinationBucket")?
        .filter(|to| !to.is_empty());
    Ok(Route {
        to_bucket: to_bucket.map_or_else(|| bucket.clone(), str::to_owned),
        name: fields.required("sourceKey")?.to_owned(),
        to_name: fields.required("destinationKey")?.to_owned(),
        bucket,
    })
}

/// `POST /object/move`.
pub(super) async fn move_object(mut call: StorageRequest<'_>) -> Result<Response> {
    call.admin().await?;
    let route = route(&call.json().await?)?;
    let moved = call.app.files.move_object(route).await?;
    Ok(json(&json!({
        "message": "Successfully moved",
        "Id": moved.id,
        "Key": dto::full_key(&moved),
    })))
}

/// `POST /object/copy`.
pub(super) async fn copy(mut call: StorageRequest<'_>) -> Result<Response> {
    let (admin, upsert) = call.admin_and_upsert().await?;
    let fields = call.json().await?;
    let route = route(&fields)?;
    let control = match fields.get("metadata") {
        None => None,
        Some(Value::Object(metadata)) => {
            let metadata = Fields(metadata.clone());
            metadata.text("cacheControl")?.map(cache_control)
        }
        Some(_) => return Err(wrong_field("metadata", "an object")),
    };
    let metadata = call.header("x-metadata").map(decode_metadata).transpose();
    let options = CopyOptions {
        upsert,
        copy_metadata: fields.boolean("copyMetadata")?.unwrap_or(true),
        cache_control: control,
        metadata: metadata.map_err(|_| Code::EntityTooLarge)?.flatten(),
    };
    let files = call.app.files;
    let copy = files.copy_object(route, admin.user.id, options).await?;
    let mut body = dto::row(&copy, &copy.name);
    body["Id"] = copy.id.clone().into();
    body["Key"] = dto::full_key(&copy).into();
    Ok(json(&body))
}

/// `DELETE /object/{bucket}`.
pub(super) async fn remove(mut call: StorageRequest<'_>, bucket: String) -> Result<Response> {
    let admin = call.admin().await?;
    let names = call.json().await?.texts("prefixes", MAX_REMOVED)?;
    let files = call.app.files;
    let removed = files.remove(bucket, names, admin.user.id).await?;
    let rows = removed.iter().map(|object| dto::row(object, &object.name));
    Ok(json(&rows.collect()))
}

/// `DELETE /object/{bucket}/{key}`.
pub(super) async fn remove_one(mut call: StorageRequest<'_>, path: ObjectPath) -> Result<Response> {
    let admin = call.admin().await?;
    call.refuse_version()?;
    call.json().await?;
    let files = call.app.files;
    files
        .remove_one(path.bucket, path.key, admin.user.id)
        .await?;
    Ok(json(&json!({ "message": "Successfully deleted" })))
}
