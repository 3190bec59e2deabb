//! The rows of the table of attacks, and what each is held to.

use crate::class::{Class, Seated, euros};
use std::fmt::Write as _;
use undertone_machine::{Fault, FaultCode, Seat};
use undertone_room::ClientPolicy;
use undertone_wire::{Author, Codec, Entry, EntryKind, List, proves_equivocation};

/// Who cheats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// Whoever carries the entries.
    Relay,
    /// Somebody with a seat.
    Participant,
    /// Whoever opened the room.
    Host,
    /// Somebody without a seat.
    Stranger,
}

/// Whether honest devices have sent when the attack comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Every honest person has typed a value, and none may leave its device.
    BeforeValues,
    /// Values are out; no result may be shown as confirmed.
    AfterValues,
}

/// Whom a fault must name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Culprit {
    Nobody,
    /// The seat of the cheating participant, on its signature or as absent.
    Cheat,
    Host,
    /// Several that are absent, whoever they are: silence proves nothing.
    Absent,
}

/// How an attack ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// These seats end in a fault.
    Fault(&'static [usize], FaultCode, Culprit),
    /// The call that would let it happen is refused.
    Refusal(FaultCode),
    /// Everyone honest gets the exact result, and so many confirmed it.
    Result(&'static str, usize),
}

/// One attack.
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    pub(crate) by: By,
    /// What it tries, in words.
    pub(crate) tries: &'static str,
    pub(crate) when: When,
    pub(crate) end: End,
    /// Does it to a room with a host and three guests, to which it adds the fourth. Returns what a
    /// call was refused with, if one was.
    pub(crate) run: fn(&mut Class) -> Option<Fault>,
}

/// Runs an attack and says in which points it did not end as it must; nothing if it did.
///
/// The second figure is the number of masked values that left honest devices.
pub(crate) fn play(attack: &Attack) -> (Vec<String>, usize) {
    let mut class = Class::open(euros("sum"), 3, 5, ClientPolicy::default());
    let refused = (attack.run)(&mut class);
    let mut wrong = Vec::new();
    check_end(attack, &class, refused.as_ref(), &mut wrong);
    let left = class.left.len();
    let result = matches!(attack.end, End::Result(..));
    if !result && attack.when == When::BeforeValues {
        expect(left == 0, &mut wrong, || format!("{left} masked values left honest devices"));
        expect(class.typed >= 4, &mut wrong, || format!("only {} people had typed a value", class.typed));
    }
    if attack.when == When::AfterValues {
        expect(left > 0, &mut wrong, || "no value had left: this attack came too early".into());
    }
    for (seat, confirmed) in class.confirmed().filter(|_| !result) {
        expect(!confirmed, &mut wrong, || format!("seat {seat} shows a result as confirmed by all"));
    }
    (wrong, left)
}

fn expect(holds: bool, wrong: &mut Vec<String>, otherwise: impl FnOnce() -> String) {
    if !holds {
        wrong.push(otherwise());
    }
}

fn check_end(attack: &Attack, class: &Class, refused: Option<&Fault>, wrong: &mut Vec<String>) {
    match attack.end {
        End::Refusal(code) => {
            let found = refused.map(Fault::code);
            expect(found == Some(code), wrong, || format!("refused with {found:?}, not {code}"));
        }
        End::Fault(seats, code, culprit) => {
            expect(refused.is_none(), wrong, || format!("refused with {refused:?}"));
            for seat in seats {
                check_fault(class, *seat, code, culprit, wrong);
            }
        }
        End::Result(sum, confirmed) => {
            let cheats = |seat: &Seated| seat.off || Some(seat.room.identity().author()) == class.cheat;
            let honest = class.seats.iter().enumerate().filter(|(_, seat)| !cheats(seat));
            for (index, seat) in honest {
                let found = seat.result();
                let found = found.map(|(figures, confirmed)| (figures.join(" "), confirmed));
                let right = found == Some((sum.to_owned(), confirmed));
                expect(right, wrong, || format!("seat {index}: {found:?}, {:?}", seat.notices));
            }
        }
    }
}

fn check_fault(class: &Class, seat: usize, code: FaultCode, culprit: Culprit, wrong: &mut Vec<String>) {
    let Some(fault) = class.seats[seat].fault() else {
        return wrong.push(format!("seat {seat} has no fault: {:?}", class.seats[seat].notices));
    };
    expect(fault.code() == code, wrong, || format!("seat {seat} ends in {}, not {code}", fault.code()));
    let named = match culprit {
        Culprit::Absent => {
            let some = fault.code() == FaultCode::Missing && !fault.culprits().is_empty();
            return expect(some, wrong, || format!("seat {seat} misses nobody"));
        }
        Culprit::Nobody => None,
        Culprit::Cheat => class.cheat,
        Culprit::Host => Some(class.seats[0].room.identity().author()),
    };
    let expected: Vec<Seat> = named.iter().filter_map(|author| number(class, seat, author)).collect();
    let fits = fault.culprits() == expected && (culprit == Culprit::Nobody || expected.len() == 1);
    expect(fits, wrong, || format!("seat {seat} blames {:?}, not {expected:?}", fault.culprits()));
    let proven = code != FaultCode::Equivocation || is_proven(fault);
    expect(proven, wrong, || format!("seat {seat} cannot prove the equivocation"));
}

/// An author's number at a seat; before the seats have their order, its place on the last list.
fn number(class: &Class, seat: usize, author: &Author) -> Option<Seat> {
    if let Some(roster) = class.seats[seat].room.roster() {
        return roster.seat_of(author);
    }
    let list = class.entries(EntryKind::List).pop()?;
    let list = List::from_bytes(&list.payload).ok()?;
    let place = list.seats.iter().position(|listed| listed.author == *author)?;
    u16::try_from(place).ok().map(Seat)
}

/// Whether the evidence convinces somebody who was not there.
fn is_proven(fault: &Fault) -> bool {
    let [one, other] = fault.evidence() else { return false };
    let (Ok(one), Ok(other)) = (Entry::from_bytes(one), Entry::from_bytes(other)) else { return false };
    proves_equivocation(&one, &other)
}

/// All attacks with how they ended, for people.
pub(crate) fn table(rows: &[(&Attack, Vec<String>, usize)]) -> String {
    let mut text = format!("{} attacks\n", rows.len());
    for (attack, wrong, left) in rows {
        let end = match attack.end {
            End::Fault(_, code, culprit) => format!("{code}, names {culprit:?}"),
            End::Refusal(code) => format!("{code}, refused"),
            End::Result(sum, confirmed) => format!("result {sum}, confirmed by {confirmed}"),
        };
        let verdict = if wrong.is_empty() { "as it must".to_owned() } else { wrong.join("; ") };
        let (name, by, when, tries) = (attack.name, attack.by, attack.when, attack.tries);
        let _ = writeln!(text, "{name} | {by:?} | {tries} | {when:?} | {end} | {left} values left | {verdict}");
    }
    text
}
