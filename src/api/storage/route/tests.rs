use poem::http::Method;

use super::{ObjectPath, Operation, call};

fn object(bucket: &str, key: &str) -> ObjectPath {
    ObjectPath {
        bucket: bucket.to_owned(),
        key: key.to_owned(),
    }
}

#[test]
fn paths_are_split_and_decoded_once() {
    let cases = [
        (Method::GET, "bucket", Operation::ListBuckets),
        (Method::GET, "bucket/", Operation::ListBuckets),
        (
            Method::POST,
            "bucket/a/empty",
            Operation::EmptyBucket("a".into()),
        ),
        (Method::GET, "bucket/a/lifecycle", Operation::LeftOut),
        (
            Method::POST,
            "object/a/b/c%2Fd",
            Operation::Upload(object("a", "b/c/d")),
        ),
        (
            Method::PUT,
            "object/public/team/a.png",
            Operation::Update(object("public", "team/a.png")),
        ),
        (
            Method::GET,
            "object/public/team/a.png",
            Operation::ReadPublic("team/a.png".into()),
        ),
        (
            Method::HEAD,
            "object/authenticated/a/b",
            Operation::Read(object("a", "b")),
        ),
        (
            Method::GET,
            "object/a/b+c%20",
            Operation::Read(object("a", "b+c ")),
        ),
        (
            Method::GET,
            "object/a/%252e",
            Operation::Read(object("a", "%2e")),
        ),
        (Method::GET, "object/a/%ff", Operation::Undecodable),
        (
            Method::GET,
            "object/info/authenticated/a/b",
            Operation::Info(object("a", "b")),
        ),
        (
            Method::GET,
            "object/info/a/b",
            Operation::Info(object("a", "b")),
        ),
        (
            Method::POST,
            "object/sign/a",
            Operation::SignMany("a".into()),
        ),
        (
            Method::POST,
            "object/sign/a/b",
            Operation::Sign(object("a", "b")),
        ),
        (
            Method::PUT,
            "object/upload/sign/a/b",
            Operation::UploadSigned(object("a", "b")),
        ),
        (Method::DELETE, "object/a", Operation::Remove("a".into())),
        (
            Method::DELETE,
            "object/a/b",
            Operation::RemoveOne(object("a", "b")),
        ),
        (Method::POST, "object/a", Operation::NotFound),
        (Method::PATCH, "object/a/b", Operation::NotFound),
        (
            Method::POST,
            "upload/resumable/sign",
            Operation::TusCreate { signed: true },
        ),
        (
            Method::POST,
            "upload/resumable/",
            Operation::TusCreate { signed: false },
        ),
        (
            Method::PATCH,
            "upload/resumable/sign/07",
            Operation::TusPatch {
                signed: true,
                id: "07".into(),
            },
        ),
        (Method::GET, "render/image/public/a/b", Operation::LeftOut),
        (Method::GET, "", Operation::NotFound),
    ];
    for (method, path, expected) in cases {
        let found = call(&method, &format!("/storage/v1/{path}"));
        assert_eq!(found, expected, "{method} {path}");
    }
}
