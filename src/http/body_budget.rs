//! How much memory request bodies may take: one budget for the server, and a share for each client.
//! Bytes are charged as they arrive, whatever was announced, and given back with the request.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::config;

const MIB: usize = 1024 * 1024;
/// What a client holds has to fit so many times into what is free. So greedy clients leave room for
/// those that hold little: it takes dozens of them to use up the budget.
const FREE_FOR_OTHERS: usize = 7;

/// The budget of all request bodies.
#[derive(Debug)]
pub struct BodyBudget {
    total: usize,
    share: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    total: usize,
    clients: HashMap<IpAddr, usize>,
}

/// Whose bytes are used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The client's own share.
    Client,
    /// What the server has left.
    Server,
}

impl BodyBudget {
    /// The budget that `limits` describe, with nothing held.
    pub fn new(limits: &config::Limits) -> Arc<Self> {
        let bytes = |mib| {
            usize::try_from(mib)
                .unwrap_or(usize::MAX)
                .saturating_mul(MIB)
        };
        Arc::new(Self {
            total: bytes(limits.body_budget_mib),
            share: bytes(limits.body_budget_per_client_mib),
            held: Mutex::default(),
        })
    }

    /// An empty lease for a request of `client`, which is an address as `client_address::network` makes it.
    pub fn lease(self: &Arc<Self>, client: IpAddr) -> Lease {
        Lease {
            budget: self.clone(),
            client,
            bytes: 0,
        }
    }

    /// Bytes held by all requests.
    pub fn held(&self) -> usize {
        self.lock().total
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of one request. Dropping it gives them back.
#[derive(Debug)]
pub struct Lease {
    budget: Arc<BodyBudget>,
    client: IpAddr,
    bytes: usize,
}

impl Lease {
    /// Charges `more` bytes.
    ///
    /// # Errors
    /// When the client's share or the budget does not allow it; nothing is charged then.
    pub fn grow(&mut self, more: usize) -> Result<(), Exhausted> {
        let mut held = self.budget.lock();
        let free = self.budget.total.saturating_sub(held.total);
        let mine = held.clients.get(&self.client).copied().unwrap_or(0) + more;
        if mine > self.budget.share {
            return Err(Exhausted::Client);
        }
        if mine.saturating_mul(FREE_FOR_OTHERS) > free {
            return Err(Exhausted::Server);
        }
        held.clients.insert(self.client, mine);
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
        let mut held = self.budget.lock();
        held.total -= self.bytes;
        if let Some(mine) = held.clients.get_mut(&self.client) {
            *mine -= self.bytes;
            if *mine == 0 {
                held.clients.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::sync::Arc;

    use super::{BodyBudget, Exhausted, Lease, MIB};
    use crate::config::Limits;

    fn budget(total: u32, share: u32) -> Arc<BodyBudget> {
        BodyBudget::new(&Limits {
            body_budget_mib: total,
            body_budget_per_client_mib: share,
            ..Limits::default()
        })
    }

    fn client(number: u8) -> IpAddr {
        IpAddr::from([198, 51, 100, number])
    }

    #[test]
    fn all_requests_of_a_client_share_one_share_and_give_it_back() {
        let budget = budget(16, 2);
        let (mut one, mut two) = (budget.lease(client(1)), budget.lease(client(1)));
        assert_eq!(one.grow(MIB), Ok(()));
        assert_eq!(two.grow(MIB), Ok(()));
        assert_eq!(two.grow(1), Err(Exhausted::Client));
        assert_eq!(budget.lease(client(2)).grow(2 * MIB), Ok(()), "another one");
        drop(one);
        assert_eq!(two.grow(MIB), Ok(()));
        drop(two);
        assert_eq!(budget.held(), 0);
        assert!(budget.lock().clients.is_empty(), "no client is remembered");
    }

    #[test]
    fn greedy_clients_leave_some_for_whoever_holds_little() {
        let budget = budget(32, 4);
        let mut leases: Vec<Lease> = Vec::new();
        for number in 0..20 {
            let mut lease = budget.lease(client(number));
            while lease.grow(1024).is_ok() {}
            leases.push(lease);
        }
        assert!(budget.held() <= 32 * MIB);
        assert_eq!(leases[19].grow(1024), Err(Exhausted::Server));
        assert_eq!(budget.lease(client(99)).grow(1024), Ok(()));
    }
}
