//! The algebra of a room, what is refused, and sums read back.

use super::*;
use crate::codec::{Codec, DecodeError};
use crate::dlog::{Progress, SumRange};
use ark_bls12_381::{Bls12_381, Fq, Fq2, Fq6, Fq12, G1Affine, G2Affine, G2Projective};
use ark_ec::pairing::Pairing;
use ark_ec::{AffineRepr, PrimeGroup};
use ark_ff::{Field, PrimeField};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};
use undertone_machine::{Seat, Secret};

fn key(seat: u16) -> PairingKey {
    PairingKey::from_seed(&Secret::new([seat as u8 + 1; 32]))
}

fn keys(seats: u16) -> Vec<(Seat, PairingPoint)> {
    (0..seats).map(|seat| (Seat(seat), *key(seat).public())).collect()
}

fn round(k: u64) -> RoundPoint {
    RoundPoint::new(&[1; 32], k, 0)
}

fn messages(values: &[u64], k: u64) -> Vec<TargetElement> {
    let keys = keys(values.len() as u16);
    let message =
        |(seat, value): (u16, &u64)| Neighbourhood::new(key(seat), Seat(seat), &keys).message(&round(k), *value);
    (0..).zip(values).map(message).collect()
}

fn product(of: &[TargetElement]) -> TargetElement {
    of.iter().fold(TargetElement::identity(), |product, one| product * *one)
}

fn range(low: i64, high: i64) -> SumRange {
    SumRange::new(low, high).unwrap()
}

#[test]
fn one_pairing_is_the_product_of_all() {
    let keys = keys(7);
    for (seat, value) in [(0, 0), (3, 77), (6, u64::MAX)] {
        let ours = Neighbourhood::new(key(seat), Seat(seat), &keys).message(&round(5), value);
        let theirs = literal_message(&key(seat), Seat(seat), &keys, &round(5), value);
        assert_eq!(ours.to_bytes(), theirs.to_bytes());
    }
}

#[test]
fn messages_multiply_to_the_sum_in_every_round_and_a_part_does_not() {
    for k in [0, 1, u64::MAX] {
        let sent = messages(&[100, 20, 3, 0], k);
        assert_eq!(product(&sent), TargetElement::power_vartime(123));
        assert_eq!(product(&sent).logarithm_vartime(range(0, 300)), Some(123));
        assert_eq!(product(&sent).logarithm_vartime(range(0, 122)), None);
        assert_eq!(product(&sent[..3]).logarithm_vartime(range(0, 300)), None);
    }
    assert_ne!(messages(&[1, 2, 3], 0)[0], messages(&[1, 2, 3], 1)[0]);
}

#[test]
fn neighbourhoods_follow_the_roster() {
    let all = keys(5);
    let mut changed = Neighbourhood::new(key(2), Seat(2), &all[1..4]);
    changed.join(Seat(0), &all[0].1);
    changed.join(Seat(4), &all[4].1);
    changed.leave(Seat(3), &all[3].1);
    let kept: Vec<_> = all.iter().filter(|(seat, _)| *seat != Seat(3)).copied().collect();
    let fresh = Neighbourhood::new(key(2), Seat(2), &kept);
    assert_eq!(changed.message(&round(1), 9), fresh.message(&round(1), 9));
    assert_ne!(fresh.message(&round(1), 9), Neighbourhood::new(key(2), Seat(2), &all).message(&round(1), 9));
}

#[test]
fn following_is_making_it_anew_and_nothing_if_nothing_changed() {
    let all = keys(6);
    let mut followed = Neighbourhood::new(key(2), Seat(2), &all);
    for there in [&all[..], &all[1..4], &all[2..], &all[2..3], &all[..]] {
        followed.follow(there);
        let fresh = Neighbourhood::new(key(2), Seat(2), there);
        assert_eq!(followed.message(&round(1), 9), fresh.message(&round(1), 9), "{} keys", there.len());
    }
    // Another key in a seat is another neighbour.
    let mut other = all.clone();
    other[4].1 = *key(9).public();
    followed.follow(&other);
    assert_eq!(followed.message(&round(1), 9), Neighbourhood::new(key(2), Seat(2), &other).message(&round(1), 9));
}

#[test]
fn a_seat_alone_hides_nothing() {
    let alone = Neighbourhood::new(key(0), Seat(0), &keys(1));
    assert_eq!(alone.message(&round(1), 5), TargetElement::power_vartime(5));
    let mut left = Neighbourhood::new(key(0), Seat(0), &keys(2));
    assert_ne!(left.message(&round(1), 5), TargetElement::power_vartime(5));
    left.leave(Seat(1), key(1).public());
    assert_eq!(left.message(&round(1), 5), TargetElement::power_vartime(5));
}

#[test]
fn debug_shows_no_secret() {
    assert_eq!(format!("{:?}", key(0)), "PairingKey { .. }");
    assert_eq!(format!("{:?}", Neighbourhood::new(key(0), Seat(0), &keys(2))), "Neighbourhood { me: Seat(0), .. }");
}

#[test]
fn proof_binds_key_and_context() {
    let (a, context) = (key(1), [9; 32]);
    let proof = PairingProof::from_bytes(&a.prove(&context).to_bytes()).unwrap();
    assert!(proof.holds(a.public(), &context));
    assert!(!proof.holds(key(2).public(), &context) && !proof.holds(a.public(), &[8; 32]));
    let rogue = PairingPoint((a.public().0 - key(2).public().0).into());
    assert!(!a.prove(&context).holds(&rogue, &context));
    let bytes = proof.to_bytes();
    for bit in (0..bytes.len() * 8).step_by(37) {
        let mut bad = bytes.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        assert!(!PairingProof::from_bytes(&bad).is_ok_and(|proof| proof.holds(a.public(), &context)), "bit {bit}");
    }
}

#[test]
fn keys_have_the_usual_encoding() {
    let generator = PairingPoint(G2Affine::generator()).to_bytes();
    let usual = "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e\
                 024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8";
    assert_eq!(hex(&generator), usual);
    for seat in 0..8 {
        let point = *key(seat).public();
        assert_eq!(PairingPoint::from_bytes(&point.to_bytes()), Ok(point));
        let negative = PairingPoint(-point.0);
        assert_eq!(PairingPoint::from_bytes(&negative.to_bytes()), Ok(negative));
    }
}

/// A point of the curve outside of the group.
fn stray_point() -> PairingPoint {
    let points = (1_u64..).filter_map(|x| G2Affine::get_point_from_x_unchecked(Fq2::from(x), false));
    PairingPoint(points.into_iter().find(|point| !point.is_in_correct_subgroup_assuming_on_curve()).unwrap())
}

/// Bytes that are no key, and what is wrong with them.
fn bad_keys() -> Vec<(&'static str, Vec<u8>)> {
    // One whose first coefficient has room for p more.
    let good = (0..).map(|seat| key(seat).public().to_bytes()).find(|bytes| bytes[0] & 0x1f < 5).unwrap();
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    let mut identity = vec![0; PAIRING_POINT_BYTES];
    identity[0] = 0xc0;
    let off = (1_u64..).find(|x| G2Affine::get_point_from_x_unchecked(Fq2::from(*x), false).is_none()).unwrap();
    let off = PairingPoint(G2Affine::new_unchecked(Fq2::from(off), Fq2::ONE)).to_bytes();
    vec![
        ("bad_key_identity", identity),
        ("bad_key_wrong_subgroup", stray_point().to_bytes()),
        ("bad_key_off_the_curve", off),
        ("bad_key_not_below_p", [&beyond(&good[..48], 0x80)[..], &good[48..]].concat()),
        ("bad_key_uncompressed_flag", with(0, good[0] & 0x7f)),
        ("bad_key_second_half_has_flags", with(48, good[48] | 0x20)),
        ("bad_key_short", good[..95].to_vec()),
        ("bad_key_long", [&good[..], &[0]].concat()),
    ]
}

/// The same number modulo p, p higher; only numbers with room below 2^381 are asked for.
fn beyond(bytes: &[u8], flags: u8) -> Vec<u8> {
    let modulus: Vec<u8> = Fq::MODULUS.0.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect();
    let (mut sum, mut carry) = (bytes.to_vec(), 0_u16);
    sum[0] &= 0x1f;
    for (to, from) in sum.iter_mut().zip(&modulus).rev() {
        carry += u16::from(*to) + u16::from(*from);
        *to = carry as u8;
        carry >>= 8;
    }
    assert_eq!((carry, sum[0] & 0xe0), (0, 0), "no room");
    sum[0] |= flags;
    sum
}

#[test]
fn bad_keys_are_refused() {
    for (name, bytes) in bad_keys() {
        assert_eq!(PairingPoint::from_bytes(&bytes), Err(DecodeError), "{name}");
    }
}

/// An element of the cyclotomic subgroup, and one that has norm 1 only.
fn stray_elements() -> [TargetElement; 2] {
    let part = |i: u64| Fq2::new(Fq::from(i), Fq::from(i + 1));
    let six = |i| Fq6::new(part(i), part(i + 2), part(i + 4));
    let f = Fq12::new(six(1), six(7));
    let norm1 = Fq12::new(f.c0, -f.c1) * f.inverse().unwrap();
    [TargetElement(norm1.frobenius_map(2) * norm1), TargetElement(norm1)]
}

/// Bytes that are no message.
fn bad_messages() -> Vec<(&'static str, Vec<u8>)> {
    let good = messages(&[1, 2], 0)[0].to_bytes();
    let [cyclotomic, norm1] = stray_elements();
    let mut flags = good.clone();
    flags[0] |= 0x80;
    let mut zero_beyond = vec![0; TARGET_BYTES];
    zero_beyond[..48].copy_from_slice(&beyond(&[0; 48], 0));
    vec![
        ("bad_message_cyclotomic_of_wrong_order", cyclotomic.to_bytes()),
        ("bad_message_norm_1_of_wrong_order", norm1.to_bytes()),
        ("bad_message_flags", flags),
        ("bad_message_not_below_p", zero_beyond),
        ("bad_message_short", good[..287].to_vec()),
        ("bad_message_long", [&good[..], &[0]].concat()),
    ]
}

#[test]
fn bad_messages_are_refused() {
    for (name, bytes) in bad_messages() {
        assert_eq!(TargetElement::from_bytes(&bytes), Err(DecodeError), "{name}");
    }
}

#[test]
fn stray_elements_are_what_they_should_be() {
    let [cyclotomic, norm1] = stray_elements().map(|it| it.0);
    let order = ark_bls12_381::Fr::MODULUS;
    for z in [cyclotomic, norm1] {
        assert_eq!(z * Fq12::new(z.c0, -z.c1), Fq12::ONE);
        assert_ne!(z.pow(order), Fq12::ONE);
    }
    assert_eq!(cyclotomic.frobenius_map(4) * cyclotomic, cyclotomic.frobenius_map(2));
    assert_eq!(messages(&[1, 2], 0)[0].0.pow(order), Fq12::ONE);
}

#[test]
fn elements_read_back_the_neutral_one_included() {
    let one = TargetElement::identity();
    assert_eq!(one.to_bytes(), vec![0; TARGET_BYTES]);
    let sent = messages(&[1, 2, 3], 4);
    for element in sent.into_iter().chain([one, TargetElement::power_vartime(1), TargetElement::power_vartime(-3)]) {
        assert_eq!(TargetElement::from_bytes(&element.to_bytes()), Ok(element));
    }
    let g = Bls12_381::pairing(G1Affine::generator(), G2Projective::generator()).0;
    assert_eq!(TargetElement::power_vartime(-3).0 * g.pow([3_u64]), Fq12::ONE);
}

#[test]
fn every_sum_of_small_ranges_is_found_and_nothing_beside() {
    let table = Arc::new(TraceTable::new(5));
    for (low, high) in [(0, 0), (0, 1), (-200, 300), (-31, 31), (5, 400)] {
        for sum in low - 70..=high + 70 {
            let range = range(low, high);
            let found = recover_vartime(&table, &TargetElement::power_vartime(sum), range);
            assert_eq!(found, range.contains(sum).then_some(sum), "{sum} in {low}..={high}");
        }
    }
}

#[test]
fn small_steps_find_what_one_step_finds() {
    let table = Arc::new(TraceTable::new(6));
    for sum in [-9_000, 0, 7_111, 9_000, 9_001] {
        let element = TargetElement::power_vartime(sum);
        let mut solver = TraceSolver::new(Arc::clone(&table), &element, range(-9_000, 9_000));
        let mut steps = 0;
        let last = loop {
            match solver.step(1) {
                Progress::Searching(searched) => assert!(sum >= -9_000 + searched as i64 && searched <= 18_000),
                last => break last,
            }
            steps += 1;
        };
        assert_eq!(last, if sum > 9_000 { Progress::NotInRange } else { Progress::Found(sum) });
        assert_eq!(solver.step(u32::MAX), last);
        assert_eq!(steps, (sum.min(9_000) + 9_000) / 191, "{sum}");
    }
}

#[test]
fn elements_of_no_small_exponent_are_not_in_range() {
    assert_eq!(messages(&[1, 2], 0)[0].logarithm_vartime(range(-5_000, 5_000)), None);
}

#[test]
fn tables_stay_small() {
    assert!(TraceTable::for_width(3_000).bytes() < 10_000);
    for width in (0..=32).map(|log| 1 << log) {
        assert!(TraceTable::bytes_for_width(width) <= 24 * (1 << 20) / 10, "2.4 MiB for {width} sums");
    }
    for bytes in [TraceTable::for_width(TARGET_WIDTH_MAX).bytes(), TraceTable::new(40).bytes()] {
        assert_eq!(bytes, TraceTable::bytes_for_width(TARGET_WIDTH_MAX));
    }
}

/// One room with everything that it sends.
fn room_vector(values: &[u64], k: u64) -> Value {
    let seats = 0..values.len() as u16;
    let sent = messages(values, k);
    let proofs: Vec<_> = seats.clone().map(|seat| hex(&key(seat).prove(&[9; 32]).to_bytes())).collect();
    json!({
        "kind": "room", "run": hex(&[1; 32]), "round": k, "coordinate": 0,
        "context": hex(&[9; 32]), "values": values, "seeds": seats.clone().map(|seat| hex(&[seat as u8 + 1; 32])).collect::<Vec<_>>(),
        "keys": seats.map(|seat| hex(&key(seat).public().to_bytes())).collect::<Vec<_>>(), "proofs": proofs,
        "messages": sent.iter().map(|one| hex(&one.to_bytes())).collect::<Vec<_>>(),
        "product": hex(&product(&sent).to_bytes()), "sum": values.iter().sum::<u64>(),
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The files are what is computed here; with `UNDERTONE_BLESS=1` they are written. `tests/pairing.rs`
/// reads them through the public interface, natively and in wasm.
#[test]
fn vectors_are_what_is_computed() {
    let bad = |kind: &'static str| {
        move |(name, bytes): (&str, Vec<u8>)| (name.to_owned(), json!({ "kind": kind, "bytes": hex(&bytes) }))
    };
    let rooms =
        [("room_of_three", room_vector(&[100, 20, 3], 1)), ("room_of_five", room_vector(&[0, 1 << 30, 7, 1, 0], 12))];
    let all = rooms.map(|(name, room)| (name.to_owned(), room)).into_iter();
    let all =
        all.chain(bad_keys().into_iter().map(bad("bad key"))).chain(bad_messages().into_iter().map(bad("bad message")));
    for (name, vector) in all {
        let file = format!("{}/vectors/pairing/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = serde_json::to_string_pretty(&vector).unwrap() + "\n";
        if std::env::var_os("UNDERTONE_BLESS").is_some() {
            std::fs::write(&file, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap_or_default(), text, "{name}");
    }
}

static TABLE: LazyLock<Arc<TraceTable>> = LazyLock::new(|| Arc::new(TraceTable::new(10)));

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn table_and_reference_agree(low in -(1_i64 << 40)..1 << 40, width in 0_i64..1 << 18, at in 0.0..1.0) {
        let (range, sum) = (range(low, low + width), low + (width as f64 * at) as i64);
        let element = TargetElement::power_vartime(sum);
        prop_assert_eq!(target_lambda_vartime(&element, range, width as u64), Some(sum));
        prop_assert_eq!(recover_vartime(&TABLE, &element, range), Some(sum));
    }
}
