//! Sign-in by another service: OAuth and OpenID Connect, company sign-in, wallets.

pub mod authorize;
pub mod callback;
pub mod external_identity;
pub mod id_token_sign_in;
pub mod oidc;
pub mod wallet;
pub mod web3;
