//! The key files by name, and their records in the database.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFile {
    /// Signs access tokens, derives links, encrypts second factors.
    Auth,
    /// Hashes the addresses of clients.
    Address,
}

impl KeyFile {
    pub const ALL: [Self; 2] = [Self::Auth, Self::Address];

    /// Its name in the data folder.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auth => "auth-keys.json",
            Self::Address => "address.key",
        }
    }
}

/// The record of a key file in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnownKeys {
    Fingerprint(String),
    /// It was used before fingerprints were recorded.
    Used,
    /// No row depends on its keys yet.
    Unused,
}
