//! Every value of small ranges, the ends of large ones, and the reference for what is between.

use super::*;
use crate::codec::DecodeError;
use curve25519_dalek::constants::RISTRETTO_BASEPOINT_COMPRESSED;
use point::Point;
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

fn encoded(sum: i64) -> [u8; 32] {
    times_base_vartime(sum).compress().to_bytes()
}

fn range(low: i64, high: i64) -> SumRange {
    SumRange::new(low, high).unwrap()
}

fn table(bits: u32) -> Arc<Table> {
    Arc::new(Table::new(bits))
}

fn recover(table: &Arc<Table>, sum: i64, range: SumRange) -> Option<i64> {
    recover_vartime(table, &encoded(sum), range).unwrap()
}

#[test]
fn base_is_four_times_the_base_point() {
    let read = Point::four_times(RISTRETTO_BASEPOINT_COMPRESSED.as_bytes()).unwrap();
    assert!(read.u.equals_vartime(&Point::base().u) && read.v.equals_vartime(&Point::base().v));
}

#[test]
fn every_sum_of_small_ranges_is_found_and_nothing_beside() {
    for (low, high, bits) in [(0, 0, 5), (0, 1, 5), (-700, 2300, 5), (-31, 31, 5), (5, 1500, 7), (-9000, -8000, 6)] {
        let (table, range) = (table(bits), range(low, high));
        for sum in low - 130..=high + 130 {
            let wanted = range.contains(sum).then_some(sum);
            assert_eq!(recover(&table, sum, range), wanted, "{sum} in {low}..={high}, 2^{bits}");
        }
    }
}

#[test]
fn every_sum_of_more_than_one_fan_is_found() {
    // Three blocks of 95 make a fan of the smallest table, so these are thirty.
    let (table, range) = (table(5), range(-4000, 4400));
    for sum in -4070..=4470 {
        assert_eq!(recover(&table, sum, range), range.contains(sum).then_some(sum), "{sum}");
    }
}

#[test]
fn ends_and_middle_of_wide_ranges_are_found() {
    for (log, bits) in [(30, 17), (32, 18)] {
        let (table, half) = (table(bits), 1_i64 << (log - 1));
        assert_eq!(table.bits(), Table::for_width(1 << log).bits());
        ends_and_middle(&table, -half + 12_345, half + 12_345);
    }
}

#[test]
fn ends_and_middle_of_the_widest_range_are_found() {
    if std::env::var_os("UNDERTONE_FULL").is_none() {
        eprintln!("left out: ranges of 2^40 sums; UNDERTONE_FULL=1 runs it");
        return;
    }
    let table = Arc::new(Table::for_width(WIDTH_MAX));
    ends_and_middle(&table, -(1 << 39), 1 << 39);
    ends_and_middle(&table, END_MAX - WIDTH_MAX as i64, END_MAX);
}

fn ends_and_middle(table: &Arc<Table>, low: i64, high: i64) {
    let range = range(low, high);
    let middle = low + (high - low) / 2;
    for sum in [low, low + 1, middle - 1, middle, middle + 1, high - 1, high] {
        assert_eq!(recover(table, sum, range), Some(sum));
    }
    for sum in [low - 1, high + 1, low - (1 << 20), high + (1 << 20)] {
        assert_eq!(recover(table, sum, range), None);
    }
}

#[test]
fn middles_of_all_blocks_are_found_where_a_point_has_no_coordinates() {
    // There the fan meets the identity: at its centre, on a spoke, or on its way to the next.
    let (table, range) = (table(5), range(-10_000, 10_000));
    for block in 0..400 {
        let sum = -10_000 + table.arm() + table.block() * (block - 40);
        assert_eq!(recover(&table, sum, range), range.contains(sum).then_some(sum), "block {block}");
    }
}

#[test]
fn ends_far_from_zero_are_no_obstacle() {
    let table = table(8);
    for low in [-END_MAX, END_MAX - 100_000] {
        let range = range(low, low + 100_000);
        assert_eq!(recover(&table, low, range), Some(low));
        assert_eq!(recover(&table, low + 100_000, range), Some(low + 100_000));
        assert_eq!(recover(&table, 0, range), None);
    }
}

#[test]
fn small_steps_find_what_one_step_finds() {
    let table = table(6);
    for sum in [-90_000, -20_000, 0, 71_111, 90_000, 90_001] {
        let mut solver = Solver::new(Arc::clone(&table), &encoded(sum), range(-90_000, 90_000)).unwrap();
        let (mut before, mut steps) = (0, 0);
        let last = loop {
            match solver.step(1) {
                Progress::Searching(searched) => {
                    assert!(searched > before && searched <= 180_000);
                    assert!(sum >= -90_000 + searched as i64, "{sum} was ruled out");
                    (before, steps) = (searched, steps + 1);
                }
                last => break last,
            }
        };
        let wanted = if sum > 90_000 { Progress::NotInRange } else { Progress::Found(sum) };
        assert_eq!((last, solver.step(u32::MAX)), (wanted, wanted));
        // Seven blocks of 191 in a fan.
        assert_eq!(steps, (sum.min(90_000) + 90_000) / (7 * 191), "{sum}");
    }
}

#[test]
fn refuses_what_encodes_no_point() {
    for bytes in [[0xff; 32], *RISTRETTO_BASEPOINT_COMPRESSED.as_bytes()].map(|mut bytes| {
        bytes[0] ^= 1;
        bytes
    }) {
        assert_eq!(recover_vartime(&table(5), &bytes, range(0, 9)), Err(DecodeError));
    }
}

#[test]
fn points_of_no_small_exponent_are_not_in_range() {
    let point = times_base_vartime(1) * Scalar::from(1_u128 << 100);
    assert_eq!(recover_vartime(&table(9), point.compress().as_bytes(), range(-50_000, 50_000)), Ok(None));
}

#[test]
fn tables_are_as_large_as_their_range_needs() {
    assert!(Table::for_width(3_000).bytes() < 16_000);
    assert!(Table::for_width(1 << 32).bytes() < 3 << 20);
    let bits = |width| Table::for_width(width).bits();
    assert_eq!([bits(0), bits(3_000), bits(1 << 30), bits(1 << 37)], [5, 7, 17, 18]);
    assert_eq!([Table::new(0).bits(), Table::new(5).bits()], [TABLE_BITS_MIN, 5]);
}

static TABLES: LazyLock<[Arc<Table>; 3]> = LazyLock::new(|| [5, 10, 14].map(table));

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn tables_of_all_sizes_and_the_reference_agree(low in -(1_i64 << 40)..1 << 40, width in 0_i64..1 << 20, at in 0.0..1.0) {
        let (range, sum) = (range(low, low + width), low + (width as f64 * at) as i64);
        prop_assert_eq!(lambda_vartime(&encoded(sum), range, width as u64), Ok(Some(sum)));
        for table in &*TABLES {
            prop_assert_eq!(recover(table, sum, range), Some(sum));
        }
    }

    #[test]
    fn reading_a_point_agrees_with_the_curve(a in 1_i64..1 << 50, b in 1_i64..1 << 50) {
        // The field and the formulas, through encodings that another library makes: 4aG + 4bG = 4(a+b)G.
        let [p, q, sum] = [a, b, a + b].map(|it| Point::four_times(&encoded(it)).unwrap());
        let ours = if a == b { p.double() } else { p.add(&q) };
        prop_assert_eq!(ours.u.to_bytes(), sum.u.to_bytes());
        prop_assert_eq!(ours.v.to_bytes(), sum.v.to_bytes());
    }
}

/// Jumps whose lengths all share a factor keep apart the walks of most sums: of widths just below a
/// power of four, where the root makes all jumps multiples of 4, three sums in four were not found.
#[test]
fn the_reference_finds_every_kind_of_sum_of_a_width_below_a_power() {
    for (bits, sums) in [(16, 40_i64), (20, 12)] {
        let range = SumRange::new(0, (1 << bits) - 1).unwrap();
        for i in 0..sums {
            let sum = (1 << bits) - 1 - i;
            assert_eq!(lambda_vartime(&encoded(sum), range, i as u64), Ok(Some(sum)), "{sum} below 2^{bits}");
        }
    }
}
