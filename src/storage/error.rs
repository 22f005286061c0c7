//! Errors of the storage service: the codes of its contract, each with a message for people.

use std::borrow::Cow;
use std::io;

/// Defines the codes, each with its status, its name, its `error` and its message.
macro_rules! codes {
    (
        $($(#[$doc:meta])* $code:ident: $status:literal $name:literal $error:literal
            $message:literal;)*
    ) => {
        /// The code of a refusal (contract section 2).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Code {
            $($(#[$doc])* $code,)*
        }

        impl Code {
            /// The status, the name and the `error` of the contract.
            pub const fn parts(self) -> (u16, &'static str, &'static str) {
                match self {
                    $(Self::$code => ($status, $name, $error),)*
                }
            }

            /// The message that the contract fixes.
            const fn message(self) -> &'static str {
                match self {
                    $(Self::$code => $message,)*
                }
            }
        }
    };
}

codes! {
    /// The caller lacks the right.
    AccessDenied: 403 "AccessDenied" "Unauthorized" "Access denied";
    /// No such bucket, or one that the caller may not see.
    NoSuchBucket: 404 "NoSuchBucket" "Bucket not found" "Bucket not found";
    /// No such object.
    NoSuchKey: 404 "NoSuchKey" "not_found" "Object not found";
    /// No such resumable upload.
    NoSuchUpload: 404 "NoSuchUpload" "not_found" "Upload not found";
    /// The resumable upload has expired.
    UploadExpired: 410 "UploadExpired" "expired" "The upload has expired";
    /// Another request is writing to the resumable upload.
    UploadLocked: 423 "UploadLocked" "locked" "Another request is writing to this upload";
    /// The offset is not where the resumable upload continues.
    OffsetConflict: 409 "OffsetConflict" "conflict"
        "Upload-Offset is not where this upload continues";
    /// The key is in use.
    ResourceAlreadyExists: 409 "ResourceAlreadyExists" "Duplicate" "The resource already exists";
    /// The bucket's name is in use.
    BucketAlreadyExists: 409 "BucketAlreadyExists" "Duplicate" "The resource already exists";
    /// The bucket has objects.
    ResourceNotEmpty: 409 "ResourceNotEmpty" "ResourceNotEmpty"
        "The bucket you tried to delete is not empty";
    InvalidKey: 400 "InvalidKey" "InvalidKey" "Invalid key";
    InvalidBucketName: 400 "InvalidBucketName" "Invalid Input" "Bucket name invalid";
    /// A file, its metadata or its picture is too large.
    EntityTooLarge: 413 "EntityTooLarge" "Payload too large"
        "The object exceeded the maximum allowed size";
    /// The type is not accepted, or the picture cannot be decoded.
    InvalidMimeType: 415 "InvalidMimeType" "invalid_mime_type" "mime type is not supported";
    /// The token is malformed or forged.
    InvalidJwt: 400 "InvalidJWT" "InvalidJWT" "The token is malformed";
    /// The token is for another use, or used up.
    InvalidSignature: 400 "InvalidSignature" "InvalidSignature" "Invalid signature";
    ExpiredToken: 400 "ExpiredToken" "ExpiredToken" "The provided token has expired.";
    InvalidRequest: 400 "InvalidRequest" "InvalidRequest" "The request is invalid";
    /// The cursor is invalid.
    InvalidParameter: 400 "InvalidParameter" "InvalidParameter"
        "Invalid Parameter continuation token";
    /// A feature that the service does not have.
    FeatureNotEnabled: 409 "FeatureNotEnabled" "FeatureNotEnabled" "This feature is not available";
    /// The range is outside the file.
    InvalidRange: 416 "InvalidRange" "invalid_range" "invalid range provided";
    /// The disk is full.
    InsufficientStorage: 507 "InsufficientStorage" "Insufficient Storage"
        "There is no space left for files";
}

/// A refused request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub code: Code,
    /// The reason, for people.
    pub message: Cow<'static, str>,
}

impl Refusal {
    /// A refusal with a specific message.
    pub fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    /// An invalid request.
    pub fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidRequest, message)
    }

    /// A media type that is not accepted.
    pub fn media_type(name: &str) -> Self {
        let message = format!("mime type {name} is not supported");
        Self::new(Code::InvalidMimeType, message)
    }
}

impl From<Code> for Refusal {
    /// The refusal with the message that the contract fixes for the code.
    fn from(code: Code) -> Self {
        Self::new(code, code.message())
    }
}

/// Error of a method of the storage service.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request was refused.
    #[error("{}", .0.message)]
    Refused(Refusal),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The bucket of files cannot be reached.
    #[error("the bucket of files: {0}")]
    Unavailable(io::Error),
    /// A file could not be read or written.
    #[error("a file: {0}")]
    Io(io::Error),
    /// An internal failure.
    #[error("{0}")]
    Internal(&'static str),
}

impl Error {
    /// Logs faults that are not the sender's, for the operator.
    pub fn log(&self) {
        match self {
            Self::Refused(_) | Self::Store(store::Error::Busy | store::Error::Full) => {}
            error => tracing::error!(%error, "files cannot be stored or read"),
        }
    }
}

/// Result of a method of the storage service.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl store::error::RuleError for Error {
    fn into_store_error(self) -> Result<store::Error, Self> {
        match self {
            Self::Store(error) => Ok(error),
            refusal => Err(refusal),
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Code> for Error {
    fn from(code: Code) -> Self {
        Self::Refused(code.into())
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match error.kind() {
            _ if s3::is_failure(&error) => Self::Unavailable(error),
            StorageFull | QuotaExceeded | FileTooLarge => Code::InsufficientStorage.into(),
            _ => Self::Io(error),
        }
    }
}
