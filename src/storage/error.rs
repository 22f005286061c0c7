//! Errors of the storage service: the codes of its contract, each with a message for people.

use std::borrow::Cow;
use std::io;

/// The code of a refusal (contract section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The caller lacks the right.
    AccessDenied,
    /// No such bucket, or one that the caller may not see.
    NoSuchBucket,
    /// No such object.
    NoSuchKey,
    /// No such resumable upload.
    NoSuchUpload,
    /// The resumable upload has expired.
    UploadExpired,
    /// Another request is writing to the resumable upload.
    UploadLocked,
    /// The offset is not where the resumable upload continues.
    OffsetConflict,
    /// The key is in use.
    ResourceAlreadyExists,
    /// The bucket's name is in use.
    BucketAlreadyExists,
    /// The bucket has objects.
    ResourceNotEmpty,
    InvalidKey,
    InvalidBucketName,
    /// A file, its metadata or its picture is too large.
    EntityTooLarge,
    /// The type is not accepted, or the picture cannot be decoded.
    InvalidMimeType,
    /// The token is malformed or forged.
    InvalidJwt,
    /// The token is for another use, or used up.
    InvalidSignature,
    ExpiredToken,
    InvalidRequest,
    /// The cursor is invalid.
    InvalidParameter,
    /// A feature that the service does not have.
    FeatureNotEnabled,
    /// The range is outside the file.
    InvalidRange,
    /// The disk is full.
    InsufficientStorage,
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
        let message = match code {
            Code::AccessDenied => "Access denied",
            Code::NoSuchBucket => "Bucket not found",
            Code::NoSuchKey => "Object not found",
            Code::NoSuchUpload => "Upload not found",
            Code::UploadExpired => "The upload has expired",
            Code::UploadLocked => "Another request is writing to this upload",
            Code::OffsetConflict => "Upload-Offset is not where this upload continues",
            Code::ResourceAlreadyExists | Code::BucketAlreadyExists => {
                "The resource already exists"
            }
            Code::ResourceNotEmpty => "The bucket you tried to delete is not empty",
            Code::InvalidKey => "Invalid key",
            Code::InvalidBucketName => "Bucket name invalid",
            Code::EntityTooLarge => "The object exceeded the maximum allowed size",
            Code::InvalidMimeType => "mime type is not supported",
            Code::InvalidJwt => "The token is malformed",
            Code::InvalidSignature => "Invalid signature",
            Code::ExpiredToken => "The provided token has expired.",
            Code::InvalidRequest => "The request is invalid",
            Code::InvalidParameter => "Invalid Parameter continuation token",
            Code::FeatureNotEnabled => "This feature is not available",
            Code::InvalidRange => "invalid range provided",
            Code::InsufficientStorage => "There is no space left for files",
        };
        Self::new(code, message)
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
