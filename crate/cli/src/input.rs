//! Where a seat's values come from.

use crate::args::Seat;
use std::path::Path;
use tokio::io::{AsyncBufReadExt, BufReader};
use undertone_machine::{Fault, FaultCode, Secret};
use undertone_net::Handle;

/// Answers a question of that number, the seat's at `index` (from 0).
///
/// A value that the core refuses ends the program if it was given as an argument; on the terminal it
/// is asked for again.
///
/// # Errors
/// What the file or the core says.
pub(crate) async fn answer(handle: &Handle, seat: &Seat, index: usize, number: u16) -> Result<(), Fault> {
    if let Some(file) = &seat.csv {
        let column = seat.column.get(index).or(seat.column.last()).map_or("", String::as_str);
        return handle.submit_rows(column_of(file, column)?).await;
    }
    if !seat.input.is_empty() {
        let value = seat.input.get(index).ok_or_else(|| bad("There are more questions than values."))?;
        return handle.submit(Secret::new(value.clone()), Some(number)).await;
    }
    ask(handle, number).await
}

/// How many questions the given values are for.
pub(crate) fn given(seat: &Seat) -> usize {
    seat.input.len().max(seat.column.len()).max(1)
}

async fn ask(handle: &Handle, number: u16) -> Result<(), Fault> {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    loop {
        eprint!("Your value (it stays on this device): ");
        let line = lines.next_line().await.ok().flatten();
        let value = line.ok_or_else(|| bad("No value was given."))?;
        match handle.submit(Secret::new(value), Some(number)).await {
            Err(fault) if fault.code() == FaultCode::BadInput => eprintln!("{}", fault.message()),
            done => return done,
        }
    }
}

/// Reads one column of a CSV file, named in its first line.
fn column_of(file: &Path, column: &str) -> Result<Secret<Vec<String>>, Fault> {
    let unreadable = |error: csv::Error| bad(format!("The file cannot be read: {error}."));
    let mut reader = csv::Reader::from_path(file).map_err(unreadable)?;
    let headers = reader.headers().map_err(unreadable)?.clone();
    let Some(index) = headers.iter().position(|header| header.trim() == column) else {
        let known: Vec<_> = headers.iter().collect();
        return Err(bad(format!("The file has no column \"{column}\". It has: {}.", known.join(", "))));
    };
    let mut values = Secret::new(Vec::new());
    for record in reader.records() {
        let record = record.map_err(unreadable)?;
        values.expose_mut().push(record.get(index).unwrap_or_default().to_owned());
    }
    Ok(values)
}

fn bad(message: impl Into<String>) -> Fault {
    Fault::new(FaultCode::BadInput).in_field("value").saying(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(content: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        file
    }

    #[test]
    fn reads_a_named_column() {
        let file = file("name,pay\nada,10.5\n\"b, c\",7\n");
        assert_eq!(column_of(file.path(), "pay").unwrap().expose(), &["10.5", "7"]);
    }

    #[test]
    fn names_the_columns_that_there_are() {
        let file = file("name,pay\nada,10.5\n");
        let fault = column_of(file.path(), "age").unwrap_err();
        assert_eq!(fault.message(), "The file has no column \"age\". It has: name, pay.");
        assert!(column_of(Path::new("/nowhere/at/all.csv"), "pay").is_err());
    }
}
