//! Memory budgets of request bodies and of downloads: one total for the server and a share per
//! client. Bytes of a request are charged as they arrive, regardless of `Content-Length`, and
//! released with the request; those of a download while they are in memory.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use ipnet::IpNet;
use parking_lot::Mutex;

use super::address_key::{client_network, site_network};
use domain::rate_limit::SITE_FACTOR;

const MIB: usize = 1024 * 1024;
/// A client's bytes must fit this many times into the free budget. Clients with large bodies thus
/// leave memory for those with small ones: it takes dozens of them to exhaust the budget.
const FREE_FACTOR: usize = 7;

/// Memory of all downloads, in MiB.
const DOWNLOADS_MIB: u32 = 32;
/// Memory of the downloads of one client, in MiB.
const DOWNLOADS_PER_CLIENT_MIB: u32 = 4;

/// The budget of all request bodies, or of all downloads.
#[derive(Debug)]
pub struct BodyBudget {
    total: usize,
    share: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    total: usize,
    /// Of each client, and of each site of clients, which is a larger network.
    networks: HashMap<IpNet, usize>,
}

/// The exceeded limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The client's share.
    Client,
    /// The server's total.
    Server,
}

impl BodyBudget {
    /// The budget that `limits` describe, with nothing charged.
    pub fn new(limits: &config::Limits) -> Arc<Self> {
        Self::of(limits.body_budget_mib, limits.body_budget_per_client_mib)
    }

    /// The budget of downloads.
    pub fn for_downloads() -> Arc<Self> {
        Self::of(DOWNLOADS_MIB, DOWNLOADS_PER_CLIENT_MIB)
    }

    fn of(total_mib: u32, share_mib: u32) -> Arc<Self> {
        let bytes = |mib| {
            usize::try_from(mib)
                .unwrap_or(usize::MAX)
                .saturating_mul(MIB)
        };
        Arc::new(Self {
            total: bytes(total_mib),
            share: bytes(share_mib),
            held: Mutex::default(),
        })
    }

    /// An empty lease for a request from `address`.
    pub fn lease(self: &Arc<Self>, address: IpAddr) -> Lease {
        Lease {
            budget: self.clone(),
            client: client_network(address),
            site: site_network(address),
            bytes: 0,
        }
    }

    /// Bytes charged by all requests.
    pub fn held(&self) -> usize {
        self.held.lock().total
    }
}

/// The bytes charged by one request. Dropping it releases them.
#[derive(Debug)]
pub struct Lease {
    budget: Arc<BodyBudget>,
    client: IpNet,
    site: Option<IpNet>,
    bytes: usize,
}

impl Lease {
    /// Charges `more` bytes. Fails if the client's share, that of its IPv6 /48 (`SITE_FACTOR`
    /// shares and at most half of the budget) or the total does not allow it; then nothing is
    /// charged.
    pub fn grow(&mut self, more: usize) -> Result<(), Exhausted> {
        let mut held = self.budget.held.lock();
        let free = self.budget.total.saturating_sub(held.total);
        let bytes_of = |network| {
            let bytes = held.networks.get(&network).copied();
            bytes.unwrap_or(0).saturating_add(more)
        };
        let client_bytes = bytes_of(self.client);
        if client_bytes > self.budget.share {
            return Err(Exhausted::Client);
        }
        let site = self.site.map(|site| (site, bytes_of(site)));
        let of_site = self.budget.share.saturating_mul(SITE_FACTOR as usize);
        if site.is_some_and(|(_, bytes)| bytes > of_site.min(free)) {
            return Err(Exhausted::Client);
        }
        if client_bytes.saturating_mul(FREE_FACTOR) > free {
            return Err(Exhausted::Server);
        }
        held.networks.insert(self.client, client_bytes);
        held.networks.extend(site);
        held.total += more;
        self.bytes += more;
        Ok(())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut held = self.budget.held.lock();
        held.total -= self.bytes;
        for network in [Some(self.client), self.site].into_iter().flatten() {
            if let Some(left) = held.networks.get_mut(&network) {
                *left = left.saturating_sub(self.bytes);
                if *left == 0 {
                    held.networks.remove(&network);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{BodyBudget, Exhausted, Lease, MIB};
    use config::Limits;

    fn budget(total: u32, share: u32) -> Arc<BodyBudget> {
        BodyBudget::new(&Limits {
            body_budget_mib: total,
            body_budget_per_client_mib: share,
            ..Limits::default()
        })
    }

    #[test]
    fn the_clients_of_one_48_leave_half_of_the_budget_for_others() {
        let budget = budget(80, 4);
        let mut leases: Vec<Lease> = Vec::new();
        for number in 0..60 {
            let mut lease = budget.lease(format!("2001:db8:1:{number:x}::1").parse().unwrap());
            while lease.grow(4096).is_ok() {}
            leases.push(lease);
        }
        assert_eq!(budget.held(), 40 * MIB);
        assert_eq!(leases[59].grow(1), Err(Exhausted::Client));
        let elsewhere = "2001:db8:2::1".parse().unwrap();
        assert_eq!(budget.lease(elsewhere).grow(4 * MIB), Ok(()));
        drop(leases);
        assert_eq!(budget.held(), 0);
        let held = budget.held.lock();
        assert!(held.networks.is_empty(), "no network is remembered");
    }
}
