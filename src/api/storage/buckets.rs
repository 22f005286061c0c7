//! Calls about buckets, all for admins.

use poem::Response;
use serde_json::{Value, json};

use super::dto::{self, json};
use super::error_response::Result;
use super::storage_request::{Fields, StorageRequest, wrong_field};
use domain::storage::values::parse_size;
use storage::Code;
use storage::buckets::BucketSettings;
use store::storage::buckets::{BucketColumn, BucketQuery};

/// `GET /bucket`.
pub(super) async fn list(call: StorageRequest<'_>) -> Result<Response> {
    call.admin().await?;
    let query = bucket_query(call.query())?;
    let buckets = call.app.files.list_buckets(query).await?;
    Ok(json(&buckets.iter().map(dto::bucket).collect()))
}

fn bucket_query(parameters: Vec<(String, String)>) -> Result<BucketQuery> {
    let mut query = BucketQuery {
        search: String::new(),
        column: BucketColumn::Name,
        descending: false,
        limit: None,
        offset: 0,
    };
    for (name, value) in parameters {
        match name.as_str() {
            "limit" => {
                let limit = value.parse().ok().filter(|limit| *limit > 0);
                let limit = limit.ok_or_else(|| wrong_field("limit", "at least 1"))?;
                query.limit = Some(limit);
            }
            "offset" => {
                let offset = value.parse();
                query.offset = offset.map_err(|_| wrong_field("offset", "at least 0"))?;
            }
            "sortColumn" => {
                query.column = match value.as_str() {
                    "id" => BucketColumn::Id,
                    "name" => BucketColumn::Name,
                    "created_at" => BucketColumn::CreatedAt,
                    "updated_at" => BucketColumn::UpdatedAt,
                    _ => {
                        let columns = "id, name, created_at or updated_at";
                        return Err(wrong_field("sortColumn", columns));
                    }
                }
            }
            "sortOrder" => {
                query.descending = match value.as_str() {
                    "asc" => false,
                    "desc" => true,
                    _ => return Err(wrong_field("sortOrder", "`asc` or `desc`")),
                }
            }
            "search" => query.search = value,
            _ => {}
        }
    }
    Ok(query)
}

/// `GET /bucket/{id}`.
pub(super) async fn get(call: StorageRequest<'_>, id: String) -> Result<Response> {
    call.admin().await?;
    let bucket = call.app.files.bucket(id).await?;
    Ok(json(&dto::bucket(&bucket)))
}

/// `POST /bucket`.
pub(super) async fn create(mut call: StorageRequest<'_>) -> Result<Response> {
    let admin = call.admin().await?;
    let fields = call.json().await?;
    let name = match fields.text("name")? {
        Some(name) => name,
        None => fields.required("id")?,
    };
    let id = fields.text("id")?.unwrap_or(name);
    refuse_features(&fields)?;
    let settings = settings(&fields)?;
    let files = call.app.files;
    files
        .create_bucket(id.to_owned(), name.to_owned(), admin.user.id, settings)
        .await?;
    Ok(json(&json!({ "name": name })))
}

fn refuse_features(fields: &Fields) -> Result<()> {
    let other_type = fields.text("type")?.is_some_and(|kind| kind != "STANDARD");
    if other_type || fields.get("versioning_status").is_some() {
        return Err(Code::FeatureNotEnabled.into());
    }
    Ok(())
}

fn settings(fields: &Fields) -> Result<BucketSettings> {
    let file_size_limit = match fields.0.get("file_size_limit") {
        None => None,
        Some(Value::Null) => Some(None),
        Some(value) => {
            let size = match value {
                Value::String(text) => parse_size(text),
                value => value.as_u64().filter(|bytes| *bytes > 0),
            };
            let expected = "a size of at least 1 byte, such as 5000000 or \"5MB\"";
            Some(Some(
                size.ok_or_else(|| wrong_field("file_size_limit", expected))?,
            ))
        }
    };
    let allowed_mime_types = match fields.0.get("allowed_mime_types") {
        None => None,
        Some(Value::Null) => Some(None),
        Some(Value::Array(list)) => {
            let texts = list.iter().map(|entry| entry.as_str().map(str::to_owned));
            let texts = texts.collect::<Option<Vec<_>>>();
            let wrong = || wrong_field("allowed_mime_types", "a list of strings");
            Some(Some(texts.ok_or_else(wrong)?))
        }
        Some(_) => return Err(wrong_field("allowed_mime_types", "a list of strings")),
    };
    Ok(BucketSettings {
        public: fields.boolean("public")?,
        file_size_limit,
        allowed_mime_types,
    })
}

/// `PUT /bucket/{id}`.
pub(super) async fn update(mut call: StorageRequest<'_>, id: String) -> Result<Response> {
    call.admin().await?;
    let fields = call.json().await?;
    refuse_features(&fields)?;
    let settings = settings(&fields)?;
    if settings.is_empty() {
        let expected = "given, or `file_size_limit` or `allowed_mime_types`";
        return Err(wrong_field("public", expected));
    }
    call.app.files.update_bucket(id, settings).await?;
    Ok(json(&json!({ "message": "Successfully updated" })))
}

/// `POST /bucket/{id}/empty`.
pub(super) async fn empty(mut call: StorageRequest<'_>, id: String) -> Result<Response> {
    call.admin().await?;
    call.json().await?;
    call.app.files.empty_bucket(id).await?;
    Ok(json(&json!({ "message": "Successfully emptied" })))
}

/// `DELETE /bucket/{id}`.
pub(super) async fn delete(mut call: StorageRequest<'_>, id: String) -> Result<Response> {
    call.admin().await?;
    call.json().await?;
    call.app.files.delete_bucket(id).await?;
    Ok(json(&json!({ "message": "Successfully deleted" })))
}
