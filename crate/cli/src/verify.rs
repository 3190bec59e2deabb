//! `undertone verify`.

use crate::args::Verify;
use crate::output::{Output, figure, figure_object, hex};
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::process::ExitCode;
use undertone_machine::{Fault, FaultCode};
use undertone_room::{CheckedQuestion, Member, Unchecked, Verified};
use undertone_wire::limits::RECORD_BYTES_MAX;
use undertone_wire::{Admission, RoomCode, room_of};

/// Of a key, as many bytes as two people can compare.
const SHORT_BYTES: usize = 8;

/// Checks a record and says what it shows: 0 if it holds, 1 if it does not, 2 if it cannot be read.
pub(crate) fn verify(args: &Verify) -> ExitCode {
    let checked = read(args).map_err(|fault| (fault, ExitCode::from(2)));
    match checked.and_then(|bytes| check(args, &bytes).map_err(|fault| (fault, ExitCode::FAILURE))) {
        Ok(()) => ExitCode::SUCCESS,
        Err((fault, code)) => {
            eprintln!("undertone: {fault}");
            code
        }
    }
}

fn check(args: &Verify, bytes: &[u8]) -> Result<(), Fault> {
    let output = Output { json: args.json };
    match undertone_room::verify(bytes) {
        Ok(verified) => {
            output.say("verified", &sentences(&verified), object(&verified));
            Ok(())
        }
        Err(fault) => {
            let seats: Vec<_> = fault.culprits().iter().map(|seat| seat.0).collect();
            let fields = json!({ "code": fault.code().as_str(), "message": fault.message(), "seats": seats });
            output.say("fault", "This record does not hold.", fields);
            Err(fault)
        }
    }
}

fn read(args: &Verify) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    let most = RECORD_BYTES_MAX as u64 + 1;
    let done = File::open(&args.file).and_then(|file| file.take(most).read_to_end(&mut bytes));
    done.map(|_| bytes).map_err(|error| {
        let message = format!("The file {} cannot be read: {error}.", args.file.display());
        Fault::new(FaultCode::BadCall).in_field("file").saying(message)
    })
}

fn sentences(verified: &Verified) -> String {
    let seats = verified.roster.members.len();
    let mut text = String::from("This record holds.\n");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "Room: {} ({})", RoomCode::of(&verified.room), short(&verified.room));
    let _ = writeln!(text, "Seats: {seats}, {}, list {}", verified.roster.tier.as_str(), verified.list);
    for (seat, member) in verified.roster.seats() {
        let host = if is_host(verified, member) { ", host" } else { "" };
        let _ = writeln!(text, "  {:>3}  {}  by {}{host}", seat.0, short(&member.author), came(member));
    }
    for question in &verified.questions {
        text.push_str(&about(question, verified));
    }
    text.push_str("Not checked:\n");
    for one in verified.unchecked() {
        let _ = writeln!(text, "  {}", reason(one));
    }
    text.truncate(text.trim_end().len());
    text
}

fn about(question: &CheckedQuestion, verified: &Verified) -> String {
    let (seats, contributors) = (verified.roster.members.len(), verified.roster.contributors());
    let CheckedQuestion { plan, acknowledged, sent, confirmed, outcome } = question;
    let mut text = format!("Question {}: {} ({})\n", plan.number, plan.question, plan.service);
    let _ =
        writeln!(text, "  {acknowledged} of {seats} seats agreed, {} of {contributors} values are here.", sent.len());
    match outcome {
        Some(outcome) => {
            for one in &outcome.figures {
                let _ = writeln!(text, "  {}", figure(one));
            }
            let _ = writeln!(text, "  {confirmed} of {seats} seats signed exactly this result.");
        }
        None => {
            let why = if verified.keyed { "There is no result." } else { "Without the key the result cannot be read." };
            let _ = writeln!(text, "  {why} {confirmed} of {seats} seats signed one.");
        }
    }
    text
}

const fn reason(unchecked: Unchecked) -> &'static str {
    match unchecked {
        Unchecked::Figures => "the results: the record holds no key",
        Unchecked::Room => "whether this is the room that you mean: compare its words and the keys of the seats",
        Unchecked::Invites => "whether those who came by link knew it: each seat checked that before it signed",
        Unchecked::Rest => "whether something that was said after the last entries here was left out",
        Unchecked::Values => "whether people gave true values",
    }
}

fn object(verified: &Verified) -> Value {
    let seat = |member: &Member| json!({ "author": hex(&member.author), "contributes": member.role.contributes(), "by": came(member), "host": is_host(verified, member) });
    let question = |one: &CheckedQuestion| {
        let figures = one.outcome.as_ref().map(|it| it.figures.iter().map(figure_object).collect::<Vec<_>>());
        json!({
            "number": one.plan.number, "service": one.plan.service, "question": one.plan.question,
            "params": one.plan.params.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
            "acknowledged": one.acknowledged, "sent": one.sent.iter().map(|seat| seat.0).collect::<Vec<_>>(),
            "confirmed": one.confirmed, "figures": figures,
        })
    };
    json!({
        "room": hex(&verified.room), "code": RoomCode::of(&verified.room).to_string(), "list": verified.list,
        "tier": verified.roster.tier.as_str(), "withKey": verified.keyed,
        "seats": verified.roster.members.iter().map(seat).collect::<Vec<_>>(),
        "questions": verified.questions.iter().map(question).collect::<Vec<_>>(),
        "notChecked": verified.unchecked().into_iter().map(Unchecked::as_str).collect::<Vec<_>>(),
    })
}

fn is_host(verified: &Verified, member: &Member) -> bool {
    room_of(&member.author) == verified.room
}

const fn came(member: &Member) -> &'static str {
    match member.admission {
        Admission::Link => "link",
        Admission::Host => "code",
    }
}

fn short(key: &[u8; 32]) -> String {
    let words: Vec<_> = key.chunks(2).take(SHORT_BYTES / 2).map(hex).collect();
    words.join(" ")
}
