//! Known answers of multi-round KDK, through the public interface: natively, and in wasm.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use serde_json::Value;
use undertone_machine::{Seat, Secret};
use undertone_prim::codec::Codec;
use undertone_prim::dlog::SumRange;
use undertone_prim::pairing::{Neighbourhood, PairingKey, PairingPoint, PairingProof, RoundPoint, TargetElement};

macro_rules! vectors {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../vectors/pairing/", $name, ".json")))),*]
    };
}

fn vectors(kind: &str) -> Vec<(&'static str, Value)> {
    let all = vectors![
        "room_of_three",
        "room_of_five",
        "bad_key_identity",
        "bad_key_wrong_subgroup",
        "bad_key_off_the_curve",
        "bad_key_not_below_p",
        "bad_key_uncompressed_flag",
        "bad_key_second_half_has_flags",
        "bad_key_short",
        "bad_key_long",
        "bad_message_cyclotomic_of_wrong_order",
        "bad_message_norm_1_of_wrong_order",
        "bad_message_flags",
        "bad_message_not_below_p",
        "bad_message_short",
        "bad_message_long",
    ];
    let all = all.map(|(name, text)| (name, serde_json::from_str::<Value>(text).unwrap()));
    all.into_iter().filter(|(_, vector)| vector["kind"] == kind).collect()
}

fn bytes(hex: &Value) -> Vec<u8> {
    let hex = hex.as_str().unwrap();
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn array(hex: &Value) -> [u8; 32] {
    bytes(hex).try_into().unwrap()
}

fn list<T>(values: &Value, each: impl Fn(&Value) -> T) -> Vec<T> {
    values.as_array().unwrap().iter().map(each).collect()
}

#[test]
fn rooms_send_what_the_files_say() {
    let rooms = vectors("room");
    assert_eq!(rooms.len(), 2);
    for (name, room) in rooms {
        let keys = list(&room["seeds"], |seed| PairingKey::from_seed(&Secret::new(array(seed))));
        let public = list(&room["keys"], |key| PairingPoint::from_bytes(&bytes(key)).unwrap());
        let proofs = list(&room["proofs"], |proof| PairingProof::from_bytes(&bytes(proof)).unwrap());
        let values = list(&room["values"], |value| value.as_u64().unwrap());
        let messages = list(&room["messages"], bytes);
        let context = array(&room["context"]);
        let round = RoundPoint::new(&array(&room["run"]), room["round"].as_u64().unwrap(), 0);
        let seats: Vec<_> = (0..).map(Seat).zip(public.iter().copied()).collect();
        let mut product = TargetElement::identity();
        for (at, key) in keys.into_iter().enumerate() {
            assert_eq!((*key.public(), key.prove(&context)), (public[at], proofs[at]), "{name}");
            assert!(proofs[at].holds(&public[at], &context), "{name}");
            let message = Neighbourhood::new(key, seats[at].0, &seats).message(&round, values[at]);
            assert_eq!(message.to_bytes(), messages[at], "{name}, seat {at}");
            product = product * TargetElement::from_bytes(&messages[at]).unwrap();
        }
        assert_eq!(product.to_bytes(), bytes(&room["product"]), "{name}");
        let sum = i64::try_from(room["sum"].as_u64().unwrap()).unwrap();
        assert_eq!(product, TargetElement::power_vartime(sum), "{name}");
        assert_eq!(product.logarithm_vartime(SumRange::new(sum - 400, sum + 400).unwrap()), Some(sum), "{name}");
        assert_eq!(product.logarithm_vartime(SumRange::new(sum + 1, sum + 400).unwrap()), None, "{name}");
    }
}

#[test]
fn bad_keys_and_messages_are_refused() {
    let (keys, messages) = (vectors("bad key"), vectors("bad message"));
    assert_eq!((keys.len(), messages.len()), (8, 6));
    for (name, vector) in keys {
        assert!(PairingPoint::from_bytes(&bytes(&vector["bytes"])).is_err(), "{name}");
    }
    for (name, vector) in messages {
        assert!(TargetElement::from_bytes(&bytes(&vector["bytes"])).is_err(), "{name}");
    }
}
