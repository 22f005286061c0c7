use poem::http::Method;

use super::{Call, ObjectPath, call};

fn object(bucket: &str, key: &str) -> ObjectPath {
    ObjectPath {
        bucket: bucket.to_owned(),
        key: key.to_owned(),
    }
}

#[test]
fn paths_are_split_and_decoded_once() {
    let cases = [
        (Method::GET, "bucket", Call::ListBuckets),
        (Method::GET, "bucket/", Call::ListBuckets),
        (
            Method::POST,
            "bucket/a/empty",
            Call::EmptyBucket("a".into()),
        ),
        (Method::GET, "bucket/a/lifecycle", Call::LeftOut),
        (
            Method::POST,
            "object/a/b/c%2Fd",
            Call::Upload(object("a", "b/c/d")),
        ),
        (
            Method::PUT,
            "object/public/team/a.png",
            Call::Update(object("public", "team/a.png")),
        ),
        (
            Method::GET,
            "object/public/team/a.png",
            Call::ReadPublic("team/a.png".into()),
        ),
        (
            Method::HEAD,
            "object/authenticated/a/b",
            Call::Read(object("a", "b")),
        ),
        (
            Method::GET,
            "object/a/b+c%20",
            Call::Read(object("a", "b+c ")),
        ),
        (
            Method::GET,
            "object/a/%252e",
            Call::Read(object("a", "%2e")),
        ),
        (Method::GET, "object/a/%ff", Call::Undecodable),
        (
            Method::GET,
            "object/info/authenticated/a/b",
            Call::Info(object("a", "b")),
        ),
        (Method::GET, "object/info/a/b", Call::Info(object("a", "b"))),
        (Method::POST, "object/sign/a", Call::SignMany("a".into())),
        (
            Method::POST,
            "object/sign/a/b",
            Call::Sign(object("a", "b")),
        ),
        (
            Method::PUT,
            "object/upload/sign/a/b",
            Call::UploadSigned(object("a", "b")),
        ),
        (Method::DELETE, "object/a", Call::Remove("a".into())),
        (
            Method::DELETE,
            "object/a/b",
            Call::RemoveOne(object("a", "b")),
        ),
        (Method::POST, "object/a", Call::NotFound),
        (Method::PATCH, "object/a/b", Call::NotFound),
        (
            Method::POST,
            "upload/resumable/sign",
            Call::TusCreate { signed: true },
        ),
        (
            Method::POST,
            "upload/resumable/",
            Call::TusCreate { signed: false },
        ),
        (
            Method::PATCH,
            "upload/resumable/sign/07",
            Call::TusPatch {
                signed: true,
                id: "07".into(),
            },
        ),
        (Method::GET, "render/image/public/a/b", Call::LeftOut),
        (Method::GET, "", Call::NotFound),
    ];
    for (method, path, expected) in cases {
        let found = call(&method, &format!("/storage/v1/{path}"));
        assert_eq!(found, expected, "{method} {path}");
    }
}
