//! The networks that are counted as clients, and the key of their hashes: addresses themselves are
//! never stored.

use std::net::IpAddr;

use anyhow::{Context, Result};
use hmac::{Hmac, KeyInit, Mac};
use ipnet::{IpNet, Ipv6Net};
use sha2::Sha256;

use domain::ids;
use store::database::key_files::ParsedKeys;

/// Hashes addresses.
#[derive(Clone)]
pub struct AddressKey(Hmac<Sha256>);

impl AddressKey {
    /// The hash of a client's `network` in hexadecimal.
    pub fn hash(&self, network: IpNet) -> String {
        digest(self.of(network.network()))
    }

    /// The hash of the /48 `network` of clients, which begins like its first client.
    pub fn hash_site(&self, network: IpNet) -> String {
        digest(self.of(network.network()).chain_update("site"))
    }

    fn of(&self, address: IpAddr) -> Hmac<Sha256> {
        let octets = match address {
            IpAddr::V4(v4) => v4.to_ipv6_mapped().octets(),
            IpAddr::V6(v6) => v6.octets(),
        };
        self.0.clone().chain_update(octets)
    }
}

/// The addresses that count as one client: an IPv4 address, or an IPv6 /64, which usually belongs
/// to one household or server.
pub fn client_network(address: IpAddr) -> IpNet {
    truncated(address, 64)
}

const SITE_BITS: u8 = 48;

/// The IPv6 /48 of an address, whose clients share `SITE_FACTOR` times the limits of one.
pub fn site_network(address: IpAddr) -> Option<IpNet> {
    address.is_ipv6().then(|| truncated(address, SITE_BITS))
}

/// Whether `network` is a `site_network`.
pub fn is_site(network: &IpNet) -> bool {
    network.prefix_len() == SITE_BITS
}

/// The network of `bits` bits of an IPv6 address; an IPv4 address is one by itself.
fn truncated(address: IpAddr, bits: u8) -> IpNet {
    match address {
        IpAddr::V4(_) => address.into(),
        IpAddr::V6(v6) => Ipv6Net::new(v6, bits).map_or(address.into(), |net| net.trunc().into()),
    }
}

/// The first half of the MAC, in hexadecimal.
fn digest(mac: Hmac<Sha256>) -> String {
    hex::encode(&mac.finalize().into_bytes()[..16])
}

/// A new key, as the key file stores it.
pub fn generate() -> Result<String> {
    Ok(hex::encode(ids::random_bytes::<32>()))
}

/// The key in a key file's content. Fails if the content is not a key.
pub fn parse(text: &str) -> Result<ParsedKeys<AddressKey>> {
    let key: [u8; 32] = hex::decode(text.trim())
        .ok()
        .and_then(|bytes| bytes.try_into().ok())
        .context("not 32 bytes in hexadecimal")?;
    let mac = Hmac::<Sha256>::new_from_slice(&key)?;
    let fingerprint = digest(mac.clone().chain_update("fingerprint"));
    Ok(ParsedKeys {
        keys: AddressKey(mac),
        fingerprint,
    })
}
