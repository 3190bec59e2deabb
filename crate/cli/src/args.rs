//! What can be typed.

use clap::{Args as Group, Parser, Subcommand, ValueEnum};
use std::net::SocketAddr;
use std::path::PathBuf;

/// People compute together on numbers that none of them will show.
#[derive(Parser)]
#[command(name = "undertone", version)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Start a relay with the web app on one port.
    Serve(Serve),
    /// Open a room, ask a question, wait for the result.
    Host(Host),
    /// Take part in a room.
    Join(Join),
    /// Check a record offline: who took part, what came out, whether anything was changed.
    Verify(Verify),
    /// Play whole rooms on a virtual clock and network, with things going wrong.
    Simulate(Simulate),
    /// Write known answers: figures, faults and the exact bytes of every seat under fixed seeds.
    Vectors(Vectors),
    /// Measure, natively and in wasm, against baselines in the same run.
    Bench(Bench),
    /// One side of `bench room-cpu`, in a process of its own so that its CPU time is its own.
    #[command(hide = true, subcommand)]
    BenchSide(SidePart),
}

#[derive(Subcommand)]
pub(crate) enum SidePart {
    /// A relay.
    Relay,
    /// All parties of a room.
    Parties(Parties),
}

#[derive(Group)]
pub(crate) struct Parties {
    /// Where the relay is.
    pub(crate) relay: String,
    /// How many.
    pub(crate) parties: usize,
    /// Values of each.
    pub(crate) values: usize,
}

#[derive(Group)]
pub(crate) struct Bench {
    /// Which bench, or all.
    pub(crate) name: String,
    /// Print one JSON object per row.
    #[arg(long)]
    pub(crate) json: bool,
    /// Which rows.
    #[arg(long, value_enum, default_value = "both")]
    pub(crate) target: Target,
    /// Samples of each row; without it 25, and fewer of what takes long.
    #[arg(long)]
    pub(crate) runs: Option<usize>,
    /// Where the built wasm module is, if not where the build puts it.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) module: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// This program.
    Native,
    /// The wasm module, in node.
    Wasm,
    /// Both.
    Both,
}

#[derive(Group)]
pub(crate) struct Serve {
    /// Address to listen on.
    #[arg(long, default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// Address that people open, if it is not the one listened on.
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// Serve the web app from this folder instead of the one built in.
    #[arg(long)]
    pub(crate) page: Option<PathBuf>,
    /// Keep rooms in this file, so that they survive a restart or crash of the relay. Without it they
    /// are kept in memory and end with the relay.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Write every frame that the relay sees to this file, for anyone who wants to look.
    #[arg(long)]
    pub(crate) tap: Option<PathBuf>,
}

#[derive(Group)]
pub(crate) struct Host {
    /// Where the relay is, such as http://localhost:8080.
    #[arg(long, default_value = "http://localhost:8080")]
    pub(crate) relay: String,
    /// Kind of question: sum, mean, vector-sum, ...
    #[arg(long, default_value = "mean")]
    pub(crate) service: String,
    /// The question.
    #[arg(long, default_value = "")]
    pub(crate) question: String,
    /// A parameter of the service, as NAME=VALUE; may be repeated.
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub(crate) params: Vec<String>,
    /// Seconds to answer.
    #[arg(long, default_value = "600")]
    pub(crate) deadline: String,
    /// Ask again and again: the time from one reading to the next, such as 60s, 500ms, 5m or 1h.
    #[arg(long, requires = "readings")]
    pub(crate) every: Option<String>,
    /// How many readings there are. Each is computed by itself; one that fails is a gap.
    #[arg(long, requires = "every")]
    pub(crate) readings: Option<u64>,
    /// Smallest group; below 5 everyone is asked for consent.
    #[arg(long, default_value_t = undertone_room::GROUP_MIN_DEFAULT)]
    pub(crate) group_min: u16,
    /// Allow a group of two: for two-party services and measurements only.
    #[arg(long)]
    pub(crate) pairs: bool,
    /// Close the list as soon as so many people have joined (the host counts if it answers too).
    /// Without it, the list is closed by typing the number of people and Enter.
    #[arg(long)]
    pub(crate) people: Option<usize>,
    /// Which of the seats that offer to add up do so, if more offer than are needed: the first digits of
    /// each one's key, as it says of itself; may be repeated.
    #[arg(long = "adding", value_name = "KEY")]
    pub(crate) adding: Vec<String>,
    #[command(flatten)]
    pub(crate) seat: Seat,
}

#[derive(Group)]
pub(crate) struct Join {
    /// The invite: the whole link, or the four words in quotes.
    pub(crate) invite: String,
    /// Where the relay is; needed for four words only.
    #[arg(long)]
    pub(crate) relay: Option<String>,
    /// Take part in a group of three or four, where a few others together could work out your value.
    #[arg(long)]
    pub(crate) small_group: bool,
    /// Allow a group of two: for two-party services and measurements only.
    #[arg(long)]
    pub(crate) pairs: bool,
    /// Add up for the others instead of giving a value, where the question takes seats for that.
    #[arg(long, conflicts_with_all = ["input", "csv", "then_leave"])]
    pub(crate) add_up: bool,
    /// Leave as soon as the value is acknowledged, where others add up: the result comes without this seat.
    #[arg(long)]
    pub(crate) then_leave: bool,
    /// Answer so many questions before leaving; by default as many as values are given, or one.
    #[arg(long)]
    pub(crate) questions: Option<usize>,
    #[command(flatten)]
    pub(crate) seat: Seat,
}

/// What host and guests have in common.
#[derive(Group)]
pub(crate) struct Seat {
    /// This seat's value, or one for each cell with semicolons between them; repeated, once for each
    /// question. Asked for on the terminal if it is not
    /// given here (arguments can be seen by other programs of this machine).
    #[arg(long, conflicts_with = "table", allow_hyphen_values = true)]
    pub(crate) input: Vec<String>,
    /// A CSV file whose rows this seat stands for: their sum and number are computed here. Where the
    /// question has cells, the rows are their values, in order.
    #[arg(long, requires = "column", group = "table")]
    pub(crate) csv: Option<PathBuf>,
    /// For a series: a growing file, or - for the standard input, with a row for each reading. A row that
    /// is early waits; one that is not there in time is a gap. When the input ends, the seat leaves.
    #[arg(long, value_name = "FILE", group = "table")]
    pub(crate) follow: Option<PathBuf>,
    /// The column's name in the first line of the file; repeated, one for each question. Without it, a
    /// row that is followed is one value.
    #[arg(long, requires = "table")]
    pub(crate) column: Vec<String>,
    /// Keep this seat in a file: the same command takes it up again after a crash.
    #[arg(long)]
    pub(crate) ledger: Option<PathBuf>,
    /// At the end, write what the room said to this file, for `undertone verify`, with the key to its
    /// results: whoever has the file can read them.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Leave the key out of the record: it then shows everything but the results.
    #[arg(long, requires = "record")]
    pub(crate) record_without_key: bool,
    /// Print one JSON object for each thing that happens.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Group)]
pub(crate) struct Verify {
    /// The record's file.
    pub(crate) file: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Group)]
pub(crate) struct Simulate {
    /// Kind of question: sum, mean, vector-sum, ...
    #[arg(long, default_value = "sum")]
    pub(crate) service: String,
    /// Seats of the room, the host's among them.
    #[arg(long, default_value_t = 5)]
    pub(crate) seats: usize,
    /// Play a series of so many readings; without it, one question or two.
    #[arg(long, default_value_t = 0)]
    pub(crate) readings: u16,
    /// Ask a question that so many people may vanish from, and have seats vanish at any message.
    #[arg(long, default_value_t = 0)]
    pub(crate) drops: usize,
    /// Decides everything in a run; the same seed gives the same run.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Play so many seeds, from that one on.
    #[arg(long, default_value_t = 1)]
    pub(crate) seeds: u64,
    /// Put a cheap model in the place of curve and signatures: for very many seeds.
    #[arg(long)]
    pub(crate) model: bool,
    /// What goes wrong: names with commas between them, all, or none. Without it the seed decides.
    #[arg(long)]
    pub(crate) faults: Option<undertone_sim::Troubles>,
}

#[derive(Group)]
pub(crate) struct Vectors {
    /// Only this service.
    pub(crate) service: Option<String>,
    /// Write nothing; say which files are not as they should be.
    #[arg(long)]
    pub(crate) check: bool,
    /// The folder, with a folder for each service.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}
