//! Host names: looked up once per connection, and refused unless each address may be called.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use ipnet::IpNet;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::addresses::{is_global, is_in, not_public};

type Found = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Finds the addresses of a host name.
pub(super) trait Lookup: Send + Sync {
    fn find(&self, name: String) -> Found;
}

/// The lookup of the operating system.
pub(super) struct SystemLookup;

impl Lookup for SystemLookup {
    fn find(&self, name: String) -> Found {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// A host name that may not be called.
#[derive(Debug)]
pub(super) struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// The resolver of the client: it connects to the returned addresses and to no others.
pub(super) struct Checked {
    pub lookup: Arc<dyn Lookup>,
    pub allow: Arc<[IpNet]>,
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, allow) = (self.lookup.clone(), self.allow.clone());
        Box::pin(async move {
            let name = name.as_str().to_owned();
            let addresses = lookup.find(name.clone()).await?;
            let is_allowed = |ip: &IpAddr| is_global(*ip) || is_in(&allow, *ip);
            if !addresses.iter().all(is_allowed) {
                return Err(Refused(not_public(&name)).into());
            }
            let addresses = addresses.into_iter().map(|ip| SocketAddr::new(ip, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}
