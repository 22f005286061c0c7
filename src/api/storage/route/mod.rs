//! Routes of the storage service. Keys contain slashes, so the path is split here and decoded once
//! (contract section 3).

use poem::http::Method;

use super::paths::BASE;
use domain::storage::names::percent_decode;

/// An object's bucket and key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ObjectPath {
    /// The bucket.
    pub bucket: String,
    /// The key.
    pub key: String,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    ListBuckets,
    CreateBucket,
    GetBucket(String),
    UpdateBucket(String),
    DeleteBucket(String),
    EmptyBucket(String),
    Upload(ObjectPath),
    Update(ObjectPath),
    Read(ObjectPath),
    ReadPublic(String),
    ReadSigned(ObjectPath),
    Info(ObjectPath),
    InfoPublic(String),
    List(String),
    ListPrefix(String),
    Move,
    Copy,
    Remove(String),
    RemoveOne(ObjectPath),
    Sign(ObjectPath),
    SignMany(String),
    SignUpload(ObjectPath),
    UploadSigned(ObjectPath),
    TusOptions,
    TusCreate {
        signed: bool,
    },
    TusHead {
        signed: bool,
        id: String,
    },
    TusPatch {
        signed: bool,
        id: String,
    },
    TusDelete {
        signed: bool,
        id: String,
    },
    /// A feature of the reference that the service does not have.
    LeftOut,
    NotFound,
    /// A path with an incomplete escape or invalid UTF-8.
    Undecodable,
}

/// The call of a request.
pub(super) fn call(method: &Method, path: &str) -> Operation {
    let rest = path.strip_prefix(BASE).unwrap_or_default();
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let (group, rest) = split(rest);
    match group {
        "bucket" => bucket_call(method, rest),
        "object" => object_call(method, rest),
        "upload" => tus_call(method, rest),
        "render" | "s3" | "vector" | "iceberg" | "cdn" => Operation::LeftOut,
        _ => Operation::NotFound,
    }
}

/// The first segment, and what follows its slash.
fn split(path: &str) -> (&str, Option<&str>) {
    match path.split_once('/') {
        Some((first, rest)) => (first, Some(rest)),
        None => (path, None),
    }
}

fn with_text(text: &str, call: impl FnOnce(String) -> Operation) -> Operation {
    percent_decode(text).map_or(Operation::Undecodable, call)
}

/// A bucket and a key.
fn with_object(path: &str, call: impl FnOnce(ObjectPath) -> Operation) -> Operation {
    let Some((bucket, key)) = path.split_once('/') else {
        return Operation::NotFound;
    };
    match (percent_decode(bucket), percent_decode(key)) {
        (Some(bucket), Some(key)) => call(ObjectPath { bucket, key }),
        _ => Operation::Undecodable,
    }
}

/// A bucket alone.
fn with_bucket(path: Option<&str>, call: impl FnOnce(String) -> Operation) -> Operation {
    match path {
        Some(bucket) if !bucket.is_empty() && !bucket.contains('/') => with_text(bucket, call),
        _ => Operation::NotFound,
    }
}

fn bucket_call(method: &Method, rest: Option<&str>) -> Operation {
    let Some(rest) = rest.filter(|rest| !rest.is_empty()) else {
        return match *method {
            Method::GET => Operation::ListBuckets,
            Method::POST => Operation::CreateBucket,
            _ => Operation::NotFound,
        };
    };
    match (split(rest), method) {
        ((id, None), &Method::GET) => with_text(id, Operation::GetBucket),
        ((id, None), &Method::PUT) => with_text(id, Operation::UpdateBucket),
        ((id, None), &Method::DELETE) => with_text(id, Operation::DeleteBucket),
        ((id, Some("empty")), &Method::POST) => with_text(id, Operation::EmptyBucket),
        ((_, Some("lifecycle")), _) => Operation::LeftOut,
        _ => Operation::NotFound,
    }
}

fn object_call(method: &Method, rest: Option<&str>) -> Operation {
    let Some(rest) = rest.filter(|rest| !rest.is_empty()) else {
        return Operation::NotFound;
    };
    match *method {
        Method::GET | Method::HEAD => read_call(method, rest),
        Method::POST => match split(rest) {
            ("list", bucket) => with_bucket(bucket, Operation::List),
            ("list-v2", bucket) => with_bucket(bucket, Operation::ListPrefix),
            ("move", None) => Operation::Move,
            ("copy", None) => Operation::Copy,
            ("sign", Some(rest)) if rest.contains('/') => with_object(rest, Operation::Sign),
            ("sign", bucket) => with_bucket(bucket, Operation::SignMany),
            ("upload", Some(rest)) => match split(rest) {
                ("sign", Some(rest)) => with_object(rest, Operation::SignUpload),
                _ => Operation::NotFound,
            },
            ("move" | "copy" | "info" | "authenticated", _) => Operation::NotFound,
            _ => with_object(rest, Operation::Upload),
        },
        Method::PUT => match split(rest) {
            ("upload", Some(rest)) => match split(rest) {
                ("sign", Some(rest)) => with_object(rest, Operation::UploadSigned),
                _ => Operation::NotFound,
            },
            _ => with_object(rest, Operation::Update),
        },
        Method::DELETE if rest.contains('/') => with_object(rest, Operation::RemoveOne),
        Method::DELETE => with_bucket(Some(rest), Operation::Remove),
        _ => Operation::NotFound,
    }
}

fn read_call(method: &Method, rest: &str) -> Operation {
    match split(rest) {
        ("public", Some(path)) => with_text(path, Operation::ReadPublic),
        ("authenticated", Some(path)) => with_object(path, Operation::Read),
        ("sign", Some(path)) => with_object(path, Operation::ReadSigned),
        ("info", Some(path)) if *method == Method::GET => match split(path) {
            ("public", Some(path)) => with_text(path, Operation::InfoPublic),
            ("authenticated", Some(path)) => with_object(path, Operation::Info),
            _ => with_object(path, Operation::Info),
        },
        ("info" | "list" | "list-v2" | "move" | "copy" | "upload", _) => Operation::NotFound,
        _ => with_object(rest, Operation::Read),
    }
}

fn tus_call(method: &Method, rest: Option<&str>) -> Operation {
    let rest = match rest.map(split) {
        Some(("resumable", rest)) => rest.unwrap_or_default(),
        _ => return Operation::NotFound,
    };
    let (signed, id) = match rest.strip_prefix("sign") {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            (true, rest.trim_start_matches('/'))
        }
        _ => (false, rest),
    };
    let id = id.to_owned();
    match *method {
        _ if id.contains('/') => Operation::NotFound,
        Method::OPTIONS => Operation::TusOptions,
        Method::POST if id.is_empty() => Operation::TusCreate { signed },
        _ if id.is_empty() => Operation::NotFound,
        Method::HEAD => Operation::TusHead { signed, id },
        Method::PATCH => Operation::TusPatch { signed, id },
        Method::DELETE => Operation::TusDelete { signed, id },
        _ => Operation::NotFound,
    }
}

/// The template of a path for the access log, without the name of the file.
pub(super) fn template(path: &str) -> Option<&'static str> {
    let mut rest = path.strip_prefix(BASE)?.split('/').skip(1);
    Some(match (rest.next()?, rest.next()) {
        ("bucket", None) => "/storage/v1/bucket",
        ("bucket", Some(_)) => "/storage/v1/bucket/{id}",
        ("object", Some("move")) => "/storage/v1/object/move",
        ("object", Some("copy")) => "/storage/v1/object/copy",
        ("object", Some("list")) => "/storage/v1/object/list/{bucket}",
        ("object", Some("list-v2")) => "/storage/v1/object/list-v2/{bucket}",
        ("object", Some("sign")) => "/storage/v1/object/sign/{bucket}/{key}",
        ("object", Some("upload")) => "/storage/v1/object/upload/sign/{bucket}/{key}",
        ("object", Some("public")) => "/storage/v1/object/public/{bucket}/{key}",
        ("object", Some("info")) => "/storage/v1/object/info/{bucket}/{key}",
        ("object", Some(_)) => "/storage/v1/object/{bucket}/{key}",
        ("upload", Some("resumable")) => "/storage/v1/upload/resumable/{id}",
        _ => return None,
    })
}
