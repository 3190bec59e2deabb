//! What happens before a room: codes, and what each address may still do.

use crate::bucket::{Bucket, Taken};
use crate::output::No;
use crate::{ADDRESSES_MAX, Limits, Loopback};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use undertone_wire::{Hash, Refusal, RoomCode};

/// Codes of open rooms, and accounts of addresses.
#[derive(Debug, Default)]
pub(crate) struct Lobby {
    codes: BTreeMap<u64, Hash>,
    accounts: BTreeMap<IpAddr, Account>,
    missed_all: Bucket,
}

#[derive(Debug, Default)]
struct Account {
    opened: Bucket,
    missed: Bucket,
    joined: Bucket,
}

impl Account {
    fn is_whole(&self, now_ms: u64) -> bool {
        [self.opened, self.missed, self.joined].iter().all(|bucket| bucket.is_whole(now_ms))
    }
}

impl Lobby {
    /// Lets an address open a room.
    pub(crate) fn open(&mut self, limits: &Limits, address: IpAddr, now_ms: u64) -> Result<(), No> {
        let taken = self.account(limits, address).map(|it| it.opened.take(limits.rooms_opened, now_ms));
        yes(taken).ok_or(No::Leave(Refusal::TooManyRooms))
    }

    /// People used the room that the address opened: it no longer counts.
    pub(crate) fn used(&mut self, limits: &Limits, address: IpAddr) {
        if let Some(account) = self.account(limits, address) {
            account.opened.give_back(limits.rooms_opened);
        }
    }

    /// Lets an address take a seat.
    pub(crate) fn join(&mut self, limits: &Limits, address: IpAddr, now_ms: u64) -> Result<(), No> {
        let taken = self.account(limits, address).map(|it| it.joined.take(limits.joins, now_ms));
        yes(taken).ok_or(No::Leave(Refusal::TooFast))
    }

    /// Lets an address try a code. A wrong one must be counted by [`Lobby::missed`].
    pub(crate) fn try_code(&mut self, limits: &Limits, address: IpAddr, now_ms: u64) -> Result<(), No> {
        let all = self.missed_all.has_one(limits.codes_missed_all, now_ms);
        let own = self.account(limits, address).is_none_or(|it| it.missed.has_one(limits.codes_missed, now_ms));
        if all && own { Ok(()) } else { Err(No::Stay(Refusal::TooFast)) }
    }

    /// Counts a wrong code.
    pub(crate) fn missed(&mut self, limits: &Limits, address: IpAddr, now_ms: u64) {
        self.missed_all.take(limits.codes_missed_all, now_ms);
        if let Some(account) = self.account(limits, address) {
            account.missed.take(limits.codes_missed, now_ms);
        }
    }

    /// The room with that code.
    pub(crate) fn room(&self, code: u64) -> Option<Hash> {
        self.codes.get(&code).copied()
    }

    /// Gives a room its code. The first room with a code keeps it: a later one can only collide on
    /// purpose.
    pub(crate) fn announce(&mut self, room: Hash) {
        self.codes.entry(RoomCode::of(&room).number()).or_insert(room);
    }

    /// Takes a room's code back.
    pub(crate) fn withdraw(&mut self, room: &Hash) {
        let code = RoomCode::of(room).number();
        if self.codes.get(&code) == Some(room) {
            self.codes.remove(&code);
        }
    }

    /// Forgets addresses of which nothing is left to remember.
    pub(crate) fn sweep(&mut self, now_ms: u64) {
        self.accounts.retain(|_, account| !account.is_whole(now_ms));
    }

    /// The account of an address, if it has limits at all.
    fn account(&mut self, limits: &Limits, address: IpAddr) -> Option<&mut Account> {
        if address.is_loopback() && limits.loopback == Loopback::Free {
            return None;
        }
        let network = network(address);
        let room_left = self.accounts.len() < ADDRESSES_MAX || self.accounts.contains_key(&network);
        Some(self.accounts.entry(if room_left { network } else { EVERYONE_ELSE }).or_default())
    }
}

/// The account of all addresses beyond [`ADDRESSES_MAX`].
const EVERYONE_ELSE: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// One customer of a network provider: an IPv4 address, or the /64 that IPv6 gives everyone.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64)),
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// Yes also for those who have no account.
fn yes(taken: Option<Taken>) -> Option<()> {
    (taken != Some(Taken::No)).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[test]
    fn ten_rooms_an_hour_from_an_address_unless_they_are_used() {
        let (mut lobby, limits) = (Lobby::default(), Limits::default());
        assert!((0..10).all(|_| lobby.open(&limits, address(1), 0).is_ok()));
        assert_eq!(lobby.open(&limits, address(1), 0), Err(No::Leave(Refusal::TooManyRooms)));
        assert!(lobby.open(&limits, address(2), 0).is_ok());
        lobby.used(&limits, address(1));
        assert!(lobby.open(&limits, address(1), 0).is_ok());
        assert!(lobby.open(&limits, address(1), 359_999).is_err());
        assert!(lobby.open(&limits, address(1), 360_000).is_ok());
    }

    #[test]
    fn this_machine_is_free_if_the_keeper_says_so() {
        let mut lobby = Lobby::default();
        assert!((0..50).all(|_| lobby.open(&Limits::local(), HERE, 0).is_ok()));
        assert!((0..10).all(|_| lobby.open(&Limits::default(), HERE, 0).is_ok()));
        assert!(lobby.open(&Limits::default(), HERE, 0).is_err());
    }

    #[test]
    fn wrong_codes_run_out_per_address_and_in_all() {
        let (mut lobby, limits) = (Lobby::default(), Limits::default());
        for last in 0..10 {
            (0..10).for_each(|_| lobby.missed(&limits, address(last), 0));
        }
        assert!(lobby.try_code(&limits, address(0), 0).is_err());
        assert!(lobby.try_code(&limits, address(99), 0).is_err(), "100 a second in all");
        assert!(lobby.try_code(&limits, address(99), 10).is_ok());
        assert!(lobby.try_code(&limits, address(0), 10).is_err());
        assert!(lobby.try_code(&limits, address(0), 6_000).is_ok());
    }

    #[test]
    fn a_school_comes_in_at_once() {
        let (mut lobby, limits) = (Lobby::default(), Limits::default());
        assert!((0..1_000).all(|_| lobby.join(&limits, address(1), 0).is_ok()));
        assert_eq!(lobby.join(&limits, address(1), 0), Err(No::Leave(Refusal::TooFast)));
    }

    #[test]
    fn one_ipv6_customer_is_one_address() {
        let v6 = |text: &str| network(text.parse().unwrap());
        assert_eq!(v6("2001:db8:1:2::5"), v6("2001:db8:1:2:ffff::9"));
        assert_ne!(v6("2001:db8:1:2::5"), v6("2001:db8:1:3::5"));
        assert_eq!(v6("::ffff:192.0.2.1"), address(1));
    }

    #[test]
    fn accounts_are_bounded_and_forgotten() {
        let (mut lobby, limits) = (Lobby::default(), Limits::default());
        for number in 0..=ADDRESSES_MAX + 5 {
            let [.., a, b, c] = number.to_be_bytes();
            lobby.join(&limits, IpAddr::from([10, a, b, c]), 0).unwrap();
        }
        assert_eq!(lobby.accounts.len(), ADDRESSES_MAX + 1);
        lobby.sweep(3_600_000);
        assert!(lobby.accounts.is_empty());
    }

    #[test]
    fn the_first_room_keeps_its_code() {
        let mut lobby = Lobby::default();
        let code = RoomCode::of(&[1; 32]).number();
        lobby.announce([1; 32]);
        lobby.codes.insert(code, [9; 32]);
        lobby.announce([1; 32]);
        assert_eq!(lobby.room(code), Some([9; 32]));
        lobby.withdraw(&[1; 32]);
        assert_eq!(lobby.room(code), Some([9; 32]));
    }
}
