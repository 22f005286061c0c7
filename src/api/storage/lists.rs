//! Calls that list objects, for admins.

use poem::Response;
use serde_json::{Value, json};

use super::dto::{self, json};
use super::error_response::Result;
use super::storage_request::{StorageRequest, wrong_field};
use store::storage::object_list::{FolderQuery, ObjectColumn, PrefixQuery, Sorting};

/// Maximum number of entries in one response.
const MAX_ENTRIES: u32 = 1_000;

/// `POST /object/list/{bucket}`.
pub(super) async fn list(mut call: StorageRequest<'_>, bucket: String) -> Result<Response> {
    call.admin().await?;
    let fields = call.json().await?;
    let sort_by = fields.sorting()?;
    // The time of the last read is not recorded: the time of creation stands for it.
    let column = match sort_by.column.as_str() {
        "last_accessed_at" => Some(ObjectColumn::CreatedAt),
        name => ObjectColumn::parse(name),
    };
    let columns = "name, created_at, updated_at or last_accessed_at";
    let folder = fields.text("prefix")?.unwrap_or_default();
    let folder = folder.strip_suffix('/').unwrap_or(folder);
    let query = FolderQuery {
        bucket,
        folder: match folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        },
        search: fields.text("search")?.unwrap_or_default().to_owned(),
        sorting: Sorting {
            column: column.ok_or_else(|| wrong_field("sortBy.column", columns))?,
            descending: sort_by.descending,
        },
        limit: fields.number("limit", 1)?.unwrap_or(100).min(MAX_ENTRIES),
        offset: fields.number("offset", 0)?.unwrap_or(0),
    };
    let entries = call.app.files.list_folder(query).await?;
    Ok(json(&entries.iter().map(dto::entry).collect()))
}

/// `POST /object/list-v2/{bucket}`.
pub(super) async fn list_prefix(mut call: StorageRequest<'_>, bucket: String) -> Result<Response> {
    call.admin().await?;
    let fields = call.json().await?;
    let sort_by = fields.sorting()?;
    let columns = "name, created_at or updated_at";
    let query = PrefixQuery {
        bucket,
        prefix: fields.text("prefix")?.unwrap_or_default().to_owned(),
        by_folder: fields.boolean("with_delimiter")?.unwrap_or(false),
        sorting: Sorting {
            column: ObjectColumn::parse(&sort_by.column)
                .ok_or_else(|| wrong_field("sortBy.column", columns))?,
            descending: sort_by.descending,
        },
        limit: fields
            .number("limit", 1)?
            .unwrap_or(MAX_ENTRIES)
            .min(MAX_ENTRIES),
        after: None,
    };
    let cursor = fields.text("cursor")?.filter(|cursor| !cursor.is_empty());
    let cursor = cursor.map(str::to_owned);
    let page = call.app.files.list_prefix(query, cursor).await?;
    let (mut folders, mut objects) = (Vec::<Value>::new(), Vec::<Value>::new());
    for entry in &page.entries {
        match &entry.object {
            Some(object) => objects.push(dto::row(object, &entry.name)),
            None => folders.push(json!({ "name": entry.name, "id": null })),
        }
    }
    let mut body = json!({
        "hasNext": page.next_cursor.is_some(),
        "folders": folders,
        "objects": objects,
    });
    if let Some(cursor) = page.next_cursor {
        body["nextCursor"] = cursor.into();
    }
    Ok(json(&body))
}
