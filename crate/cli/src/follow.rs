//! Rows of a growing file or of the standard input: row n is for reading n of a series.
//!
//! A row that is there early waits for its reading. One that comes when its reading is over is left
//! out, and never goes into another: what is not there is a gap, not a zero and not yesterday's value.

use crate::args::Seat;
use core::time::Duration;
use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use tokio::sync::mpsc::{Receiver, Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};
use undertone_machine::{Fault, FaultCode, Secret};
use undertone_net::Handle;

/// Longest line: longer than any value or list of values, and no more than a slip is worth.
const LINE_BYTES_MAX: usize = 64 << 10;
/// Lines that are read ahead of those that wait for their reading.
const LINES_AHEAD: usize = 64;
/// How often a file is looked at for what was added.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// One row; nothing where the line is empty.
type Row = Option<Secret<String>>;

/// What a seat tells the one who feeds it.
enum Word {
    /// A reading asks for its row.
    Asked { reading: u16, number: u16 },
    /// A reading is over.
    Over { reading: u16 },
}

/// Feeds a seat from its rows.
pub(crate) struct Feeder {
    words: UnboundedSender<Word>,
}

impl Feeder {
    /// Follows what the arguments name; `None` if they name nothing.
    ///
    /// # Errors
    /// [`FaultCode::BadInput`] if the file cannot be opened.
    pub(crate) fn start(seat: &Seat, handle: &Handle) -> Result<Option<Self>, Fault> {
        let Some(path) = &seat.follow else { return Ok(None) };
        let (lines, rows) = channel(LINES_AHEAD);
        let column = seat.column.first().cloned();
        let source = Source::open(path)?;
        // A thread of its own, because a wait for the keyboard cannot be called off.
        std::thread::spawn(move || source.read_into(column.as_deref(), &lines));
        let (words, heard) = unbounded_channel();
        tokio::spawn(Feed::new(handle.clone()).run(rows, heard));
        Ok(Some(Self { words }))
    }

    /// A reading asks for its row; `number` is that of its question.
    pub(crate) fn asked(&self, reading: u16, number: u16) {
        let _ = self.words.send(Word::Asked { reading, number });
    }

    /// A reading came to its result, or to none.
    pub(crate) fn over(&self, reading: u16) {
        let _ = self.words.send(Word::Over { reading });
    }
}

/// Rows that wait for their reading, and the reading that waits for its row.
struct Feed {
    handle: Handle,
    rows: VecDeque<Row>,
    /// Number of the first row that waits.
    first: u16,
    /// The reading and its question's number.
    asked: Option<(u16, u16)>,
    is_at_end: bool,
}

impl Feed {
    const fn new(handle: Handle) -> Self {
        Self { handle, rows: VecDeque::new(), first: 1, asked: None, is_at_end: false }
    }

    async fn run(mut self, mut rows: Receiver<Result<Row, Fault>>, mut words: UnboundedReceiver<Word>) {
        loop {
            let reads_on = !self.is_at_end && self.rows.len() < LINES_AHEAD;
            tokio::select! {
                row = rows.recv(), if reads_on => match row {
                    Some(Ok(row)) => self.rows.push_back(row),
                    Some(Err(fault)) => {
                        eprintln!("{fault}");
                        self.is_at_end = true;
                    }
                    None => self.is_at_end = true,
                },
                word = words.recv() => match word {
                    Some(Word::Asked { reading, number }) => self.asked = Some((reading, number)),
                    Some(Word::Over { reading }) => self.over(reading),
                    None => return,
                },
            }
            self.feed().await;
            if self.is_at_end && self.rows.is_empty() && self.asked.is_none() {
                // Nothing more will come: a seat that stays silent would only keep the others waiting.
                return self.handle.leave();
            }
        }
    }

    /// Gives the asked reading its row, if that is there. Rows whose reading is over go.
    async fn feed(&mut self) {
        let Some((reading, number)) = self.asked else { return };
        while self.first < reading && self.rows.pop_front().is_some() {
            eprintln!("Row {} came when its reading was over, and is left out.", self.first);
            self.first = self.first.saturating_add(1);
        }
        if self.first == reading
            && let Some(row) = self.rows.pop_front()
        {
            self.first = self.first.saturating_add(1);
            self.give(reading, number, row).await;
        }
        if self.is_at_end && self.rows.is_empty() && self.first <= reading {
            self.asked = None;
        }
    }

    async fn give(&mut self, reading: u16, number: u16, row: Row) {
        let Some(value) = row else {
            return eprintln!("Row {reading} is empty: this reading is a gap.");
        };
        match self.handle.submit(value, Some(number)).await {
            // After a crash the value is on its way already, or the reading ended meanwhile.
            Err(fault) if !matches!(fault.code(), FaultCode::RoundSpent | FaultCode::BadCall) => {
                eprintln!("Row {reading} cannot be sent: {} This reading is a gap.", fault.message());
            }
            _ => {}
        }
    }

    fn over(&mut self, reading: u16) {
        self.asked = self.asked.filter(|(asked, _)| *asked != reading);
    }
}

/// Where rows come from.
enum Source {
    Input,
    /// A file that grows: its end is not the end of rows.
    File(File),
}

impl Source {
    fn open(path: &Path) -> Result<Self, Fault> {
        if path == Path::new("-") {
            return Ok(Self::Input);
        }
        File::open(path).map(Self::File).map_err(|error| bad(format!("The file cannot be read: {error}.")))
    }

    /// Sends rows until there are no more, or nobody wants them.
    fn read_into(self, column: Option<&str>, rows: &Sender<Result<Row, Fault>>) {
        let mut send = |row| rows.blocking_send(row).is_ok();
        match self {
            Self::Input => read(std::io::stdin().lock(), || false, column, &mut send),
            Self::File(file) => {
                let looks_again = || {
                    std::thread::sleep(LOOK_EVERY);
                    !rows.is_closed()
                };
                read(file, looks_again, column, &mut send);
            }
        }
    }
}

/// Reads lines, each once its end is there: half a number is another number. At the end of what there
/// is, `looks_again` says whether to wait for more; if not, the last line needs no end.
fn read(
    mut source: impl Read,
    looks_again: impl Fn() -> bool,
    column: Option<&str>,
    send: &mut impl FnMut(Result<Row, Fault>) -> bool,
) {
    let mut lines = Lines { rest: Secret::new(Vec::new()), column: column.map(Column::named) };
    let mut piece = Secret::new(vec![0; 4096]);
    loop {
        match source.read(piece.expose_mut()) {
            Ok(0) if looks_again() => {}
            Ok(0) => {
                lines.rest.expose_mut().push(b'\n');
                // What is left after the last line is no row.
                let _ = lines.rest.expose().len() < 2 || lines.hand_over(send);
                return;
            }
            Ok(count) => {
                lines.rest.expose_mut().extend(piece.expose().iter().take(count));
                if !lines.hand_over(send) {
                    return;
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => {
                send(Err(bad(format!("The rows cannot be read: {error}."))));
                return;
            }
        }
    }
}

/// Bytes on their way to rows.
struct Lines {
    rest: Secret<Vec<u8>>,
    column: Option<Column>,
}

/// A column that is named in the first line.
struct Column {
    name: String,
    place: Option<usize>,
}

impl Column {
    fn named(name: &str) -> Self {
        Self { name: name.to_owned(), place: None }
    }

    /// The field of a line; nothing for the line of names.
    fn field(&mut self, line: &str) -> Result<Option<String>, Fault> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(line.as_bytes());
        let record = reader.records().next().transpose();
        let record = record.map_err(|error| bad(format!("A row cannot be read: {error}.")))?.unwrap_or_default();
        if let Some(place) = self.place {
            return Ok(Some(record.get(place).unwrap_or_default().to_owned()));
        }
        let place = record.iter().position(|name| name.trim() == self.name);
        let known = || record.iter().collect::<Vec<_>>().join(", ");
        self.place = Some(
            place
                .ok_or_else(|| bad(format!("The first line has no column \"{}\". It has: {}.", self.name, known())))?,
        );
        Ok(None)
    }
}

impl Lines {
    /// Sends all whole lines; whether to go on.
    fn hand_over(&mut self, send: &mut impl FnMut(Result<Row, Fault>) -> bool) -> bool {
        while let Some(end) = self.rest.expose().iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.expose_mut().drain(..=end).collect();
            let row = self.row(&Secret::new(line)).transpose();
            let failed = matches!(row, Some(Err(_)));
            if row.is_some_and(|row| !send(row)) || failed {
                return false;
            }
        }
        if self.rest.expose().len() > LINE_BYTES_MAX {
            send(Err(bad("A row is too long.")));
            return false;
        }
        true
    }

    /// The row of a line; `None` for the line of names.
    fn row(&mut self, line: &Secret<Vec<u8>>) -> Result<Option<Row>, Fault> {
        let text = core::str::from_utf8(line.expose()).map_err(|_| bad("A row is no text."))?;
        let value = match &mut self.column {
            None => Some(text.trim().to_owned()),
            Some(column) => column.field(text.trim_end())?,
        };
        Ok(value.map(|value| Some(value.trim().to_owned()).filter(|value| !value.is_empty()).map(Secret::new)))
    }
}

fn bad(message: impl Into<String>) -> Fault {
    Fault::new(FaultCode::BadInput).in_field("follow").saying(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// Rows of pieces as they come, and how reading ended.
    fn rows(pieces: &[&str], column: Option<&str>) -> Vec<Result<Option<String>, String>> {
        struct Pieces<'a>(VecDeque<&'a str>);
        impl Read for Pieces<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let piece = self.0.pop_front().unwrap_or_default();
                buffer[..piece.len()].copy_from_slice(piece.as_bytes());
                Ok(piece.len())
            }
        }
        let mut got = Vec::new();
        let mut send = |row: Result<Row, Fault>| {
            got.push(row.map(|row| row.map(|row| row.expose().clone())).map_err(|fault| fault.message().to_owned()));
            true
        };
        read(Pieces(pieces.iter().copied().collect()), || false, column, &mut send);
        got
    }

    fn some(text: &str) -> Result<Option<String>, String> {
        Ok(Some(text.to_owned()))
    }

    #[test]
    fn a_line_is_a_row_once_its_end_is_there() {
        assert_eq!(rows(&["1", "2.5\n3", "\r\n", "\n", " 4 "], None), [some("12.5"), some("3"), Ok(None), some("4")]);
        assert_eq!(rows(&["1\n"], None), [some("1")]);
        assert_eq!(rows(&[], None), []);
    }

    #[test]
    fn a_column_is_named_in_the_first_line() {
        let got = rows(&["time,use\n10:00,1.5\n\"10:01, late\",\n10:02\n10:03,7"], Some("use"));
        assert_eq!(got, [some("1.5"), Ok(None), Ok(None), some("7")]);
        let none = rows(&["time,use\n1,2\n"], Some("power"));
        assert_eq!(none, [Err("The first line has no column \"power\". It has: time, use.".to_owned())]);
    }

    #[test]
    fn an_endless_line_is_refused() {
        let piece = "x".repeat(4096);
        let got = rows(&vec![piece.as_str(); 17], None);
        assert_eq!(got, [Err("A row is too long.".to_owned())]);
    }

    #[test]
    fn a_file_is_followed_while_it_grows_and_somebody_listens() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        write!(file, "1\n2").unwrap();
        let source = Source::open(file.path()).unwrap();
        let (lines, mut rows) = channel(1);
        let reading = std::thread::spawn(move || source.read_into(None, &lines));
        let mut next = || rows.blocking_recv().unwrap().unwrap().unwrap().expose().clone();
        assert_eq!(next(), "1");
        writeln!(file, "0").unwrap();
        assert_eq!(next(), "20");
        drop(rows);
        reading.join().unwrap();
        assert!(Source::open(Path::new("/nowhere/at/all.csv")).is_err());
    }
}
