//! The client of a request: the peer's address, or the one that a trusted proxy forwards.

use std::net::IpAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use ipnet::IpNet;
use parking_lot::Mutex;
use poem::http::{HeaderMap, header};

use super::address_key::{AddressKey, client_network, generate, parse, site_network};
use domain::sender::Sender;
use domain::spam::Agent;
use store::Store;
use store::database::key_files::KeyFile;

/// The client of a request; handlers take it as a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The address: for this request only, never stored or logged.
    pub address: IpAddr,
    /// A keyed hash that may be stored; the same for all addresses of an IPv6 /64.
    pub key: String,
    /// The same for all addresses of an IPv6 /48, whose clients share limits ten times as high.
    pub site: Option<String>,
    /// Its kind, by its `User-Agent`.
    pub agent: Agent,
}

impl Client {
    /// The client in the form that may be stored.
    pub fn sender(&self) -> Sender {
        Sender {
            client: self.key.clone(),
            site: self.site.clone(),
        }
    }
}

/// The trusted proxies, and the key that hashes addresses.
pub struct ClientAddresses {
    trusted: Vec<IpNet>,
    address_key: AddressKey,
    /// When the log last reported an untrusted proxy.
    warned_at: Mutex<Option<Instant>>,
}

/// How often the log reports that a peer forwards addresses but is not a trusted proxy.
const WARNING_INTERVAL: Duration = Duration::from_secs(60 * 60);

impl ClientAddresses {
    /// Reads the key of `store` from `folder`, or creates it for a new database. `trusted` are the
    /// proxies whose `X-Forwarded-For` is used. Fails if the key is missing, belongs to another
    /// database, or cannot be read or written.
    pub async fn open(store: &Store, folder: &Path, trusted: &[IpNet]) -> Result<Self> {
        let found = store
            .open_keys(folder, KeyFile::Address, parse, generate)
            .await?;
        Ok(Self {
            trusted: trusted.to_vec(),
            address_key: found.keys,
            warned_at: Mutex::default(),
        })
    }

    /// The client of a request from `peer` with these headers.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> Client {
        let address = self.forwarded_client(peer.to_canonical(), headers);
        Client {
            key: self.address_key.hash(client_network(address)),
            site: site_network(address).map(|site| self.address_key.hash_site(site)),
            address,
            agent: Agent::of(user_agent(headers)),
        }
    }

    /// The address of the client of a request from `peer` with these headers: for this request
    /// only, never stored or logged.
    pub fn address(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        self.forwarded_client(peer.to_canonical(), headers)
    }

    /// Reads `X-Forwarded-For` from right to left while the address is a trusted proxy: each entry
    /// was added by the proxy to its right, so the first untrusted address is the client, and
    /// entries further left may be forged.
    fn forwarded_client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut address = peer;
        if headers.contains_key("x-forwarded-for") && !self.is_trusted_proxy(peer) {
            self.warn_untrusted(peer);
            return peer;
        }
        let lines: Vec<_> = headers.get_all("x-forwarded-for").iter().collect();
        let entries = lines
            .iter()
            .rev()
            .flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','));
        for entry in entries {
            if !self.is_trusted_proxy(address) {
                break;
            }
            let Some(next) = std::str::from_utf8(entry).ok().and_then(parse_address) else {
                break;
            };
            address = next;
        }
        address
    }

    /// Logs once an hour that `peer` forwards addresses but is not trusted: all visitors behind it
    /// share one limit. A public peer is not named, since it may be a visitor who sends the header.
    fn warn_untrusted(&self, peer: IpAddr) {
        let mut warned_at = self.warned_at.lock();
        if warned_at.is_some_and(|at| at.elapsed() < WARNING_INTERVAL) {
            return;
        }
        *warned_at = Some(Instant::now());
        drop(warned_at);
        let is_local = match peer {
            IpAddr::V4(v4) => v4.is_loopback() || v4.is_private(),
            IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local(),
        };
        let proxy = match is_local {
            true => IpNet::from(peer).to_string(),
            false => "ADDRESS OF THE PROXY".to_owned(),
        };
        tracing::warn!(
            "X-Forwarded-For from a peer that is no trusted proxy: all its visitors share one \
             limit. If it is your proxy, add to [server]: trusted_proxies = [\"{proxy}\"]"
        );
    }

    /// Whether `address` is a trusted proxy.
    pub fn is_trusted_proxy(&self, address: IpAddr) -> bool {
        self.trusted
            .iter()
            .any(|network| network.contains(&address))
    }
}

fn user_agent(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::USER_AGENT)?.to_str().ok()
}

/// One entry of `X-Forwarded-For`: an address, with or without a port.
fn parse_address(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim();
    let address = match entry.parse::<IpAddr>() {
        Ok(address) => address,
        Err(_) => match entry
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            Some(inside) => IpAddr::V6(inside.parse().ok()?),
            None => entry.parse::<std::net::SocketAddr>().ok()?.ip(),
        },
    };
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(trusted: &[&str]) -> ClientAddresses {
        ClientAddresses {
            trusted: trusted.iter().map(|net| net.parse().unwrap()).collect(),
            address_key: parse(&generate().unwrap()).unwrap().keys,
            warned_at: Mutex::default(),
        }
    }

    fn seen(addresses: &ClientAddresses, peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append("x-forwarded-for", line.parse().unwrap());
        }
        let peer: IpAddr = peer.parse().unwrap();
        addresses.client(peer, &headers).address.to_string()
    }

    #[test]
    fn only_a_trusted_proxy_is_believed_and_only_for_its_own_word() {
        let ours = addresses(&["10.0.0.0/8", "2001:db8::/32"]);
        for (peer, forwarded, client) in [
            ("203.0.113.9", &["198.51.100.1"][..], "203.0.113.9"),
            ("10.0.0.1", &[][..], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.1"][..], "198.51.100.1"),
            ("10.0.0.1", &["1.1.1.1, 198.51.100.1"][..], "198.51.100.1"),
            (
                "10.0.0.1",
                &["1.1.1.1, 198.51.100.1 ,10.2.0.1"][..],
                "198.51.100.1",
            ),
            ("10.0.0.1", &["1.1.1.1", "198.51.100.1"][..], "198.51.100.1"),
            ("10.0.0.1", &["198.51.100.1, nonsense"][..], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.1:4711"][..], "198.51.100.1"),
            ("10.0.0.1", &["[2001:4860::1]:4711"][..], "2001:4860::1"),
            ("10.0.0.1", &["[2001:4860::1]"][..], "2001:4860::1"),
            (
                "::ffff:10.0.0.1",
                &["::ffff:198.51.100.1"][..],
                "198.51.100.1",
            ),
            ("2001:db8::1", &["198.51.100.1"][..], "198.51.100.1"),
        ] {
            assert_eq!(seen(&ours, peer, forwarded), client, "{peer} {forwarded:?}");
        }
    }
}
