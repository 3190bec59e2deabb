//! A room of virtual people on one device, to show how masks cancel.

use undertone_machine::{Fault, FaultCode, Seat, Secret};
use undertone_prim::{AgreementKey, PairwisePads, add, derive, mask};
use undertone_services::{draft, prepare};

/// Most virtual people: more would only be slower.
const PEOPLE_MAX: usize = 30;

/// What each virtual person sends, and what everyone can add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demonstration {
    /// One masked value of 8 bytes for each person.
    pub masked: Vec<Vec<u8>>,
    /// The sum of the masked values, which is the sum of the values.
    pub sum: String,
}

/// Masks values with real keys, agreed between all pairs, and adds the masked values.
///
/// # Errors
/// [`FaultCode::BadInput`] for more than thirty values, or one that is not a number from
/// -1,000,000 to 1,000,000 with at most two decimals.
pub fn demonstrate(seed: &Secret<[u8; 32]>, values: &[String]) -> Result<Demonstration, Fault> {
    if values.len() > PEOPLE_MAX {
        return Err(Fault::new(FaultCode::BadInput).saying(format!("At most {PEOPLE_MAX} people.")));
    }
    let task = prepare(&draft("sum", "", &[("decimals", "2"), ("min", "-1000000"), ("max", "1000000")], "60")?)?;
    let inputs = values.iter().map(|value| task.read(value)).collect::<Result<Vec<_>, _>>()?;
    let key = |index: u16| AgreementKey::from_seed(&derive(seed.expose(), "demonstration/v1", &[&index.to_be_bytes()]));
    let keys: Vec<_> = (0..).zip(&inputs).map(|(index, _)| key(index)).collect();
    let seats: Vec<_> = (0..).map(Seat).zip(&keys).collect();
    let all: Vec<_> = seats.iter().map(|(seat, _)| *seat).collect();
    let mut masked = Vec::with_capacity(inputs.len());
    for ((me, key), input) in seats.iter().zip(&inputs) {
        let others = seats.iter().filter(|(seat, _)| seat != me);
        let pads =
            PairwisePads::new(others.map(|(seat, other)| (*seat, key.shared(other.public(), &[0; 32]))).collect());
        let value = mask::<u64>(input.values.expose(), *me, &all, &pads, &[0; 32]);
        masked.push(value.ok_or_else(|| Fault::new(FaultCode::Internal))?);
    }
    let mut total = [0_u64];
    masked.iter().all(|value| add(&mut total, value));
    let sum = total.map(|total| total as i64);
    let quantity = task.question().quantity.as_ref();
    let sum = quantity
        .zip(sum.first())
        .map_or_else(String::new, |(quantity, sum)| quantity.decimal((*sum).into()).to_string());
    Ok(Demonstration { masked, sum })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_hide_and_cancel() {
        let values = ["12.50", "-3", "0.25"].map(String::from);
        let shown = demonstrate(&Secret::new([1; 32]), &values).unwrap();
        assert_eq!(shown.sum, "9.75");
        assert!(!shown.masked.contains(&1250_u64.to_le_bytes().to_vec()));
        assert_ne!(shown, demonstrate(&Secret::new([2; 32]), &values).unwrap());
        assert!(demonstrate(&Secret::new([1; 32]), &["x".to_owned()]).is_err());
    }
}
