//! Who makes a change.

/// The actor of a change.
#[derive(Clone, Debug)]
pub struct Actor {
    /// The admin's user id.
    pub user_id: String,
    /// The keyed hash of the client's address.
    pub client: String,
}
