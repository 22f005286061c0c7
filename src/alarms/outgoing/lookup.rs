//! Host names: looked up once per connection, and refused unless each address may be called.
//! Those are global unicast, by the registries of special-purpose addresses (IANA, RFC 6890).

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};

use ipnet::IpNet;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

pub(super) type Found = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Finds the addresses of a host name.
pub(super) type Lookup = Arc<dyn Fn(String) -> Found + Send + Sync>;

/// The lookup of the operating system.
pub(super) fn system_lookup(name: String) -> Found {
    Box::pin(async move {
        let found = tokio::net::lookup_host((name, 0)).await?;
        Ok(found.map(|address| address.ip()).collect())
    })
}

/// A host name that may not be called.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Refused(pub String);

/// The resolver of the client: it connects to the returned addresses and to no others.
pub(super) struct Checked {
    pub lookup: Lookup,
    pub allow: Arc<[IpNet]>,
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, allow) = (self.lookup.clone(), self.allow.clone());
        Box::pin(async move {
            let name = name.as_str().to_owned();
            let addresses = lookup(name.clone()).await?;
            let is_allowed = |ip: &IpAddr| is_global(*ip) || is_in(&allow, *ip);
            if !addresses.iter().all(is_allowed) {
                return Err(Refused(not_public(&name)).into());
            }
            let addresses = addresses.into_iter().map(|ip| SocketAddr::new(ip, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

/// Not global: this network, private, shared, loopback, link-local, protocol assignments,
/// documentation, 6to4 relays, benchmarks, multicast, reserved and broadcast.
const SPECIAL_V4: [&str; 14] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/3",
];
/// The only global unicast space. Mapped, translated (NAT64) and local addresses are outside of it.
const GLOBAL_V6: &str = "2000::/3";
/// Exceptions in it: protocol assignments with Teredo, documentation, 6to4.
const SPECIAL_V6: [&str; 4] = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

static SPECIAL: LazyLock<Vec<IpNet>> = LazyLock::new(|| {
    let texts = SPECIAL_V4.iter().chain(&SPECIAL_V6);
    texts.filter_map(|text| text.parse().ok()).collect()
});

/// Whether `address` is global unicast.
pub(super) fn is_global(address: IpAddr) -> bool {
    let is_in_space = match address {
        IpAddr::V4(_) => true,
        IpAddr::V6(_) => {
            let global: Option<IpNet> = GLOBAL_V6.parse().ok();
            global.is_some_and(|net| net.contains(&address))
        }
    };
    is_in_space && !SPECIAL.iter().any(|net| net.contains(&address))
}

/// Whether one of the networks contains `address`.
pub(super) fn is_in(allow: &[IpNet], address: IpAddr) -> bool {
    allow.iter().any(|net| net.contains(&address))
}

/// Why a host is not called.
pub(super) fn not_public(host: &str) -> String {
    format!("{host} is not on the public internet, so it is not called.")
}
