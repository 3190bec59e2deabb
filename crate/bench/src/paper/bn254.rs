//! The same on the paper's own kind of curve, a Barreto-Naehrig curve of 254 bits: its operations only,
//! straight from the library, and one pairing in their place.

use super::{PUBLISHED, Random, range, sums};
use crate::{Row, Work};
use ark_bn254::{Bn254, Fq12, Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use ark_ec::pairing::{Pairing, PairingOutput, prepare_g2};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{Field, PrimeField};
use core::hint::black_box;
use undertone_prim::dlog::{Walkable, walk_vartime};

type Target = PairingOutput<Bn254>;

pub(super) fn rows() -> Vec<Row> {
    let table = super::SEATS.into_iter().flat_map(table_1);
    table.chain(super::BITS.into_iter().flat_map(figure_1)).collect()
}

fn table_1(seats: u16) -> [Row; 2] {
    let literal = move || literal(seats);
    [
        Row::new("pcl bn254", seats, move || pcl(seats)).against("kdk literal bn254", literal).published(PUBLISHED),
        Row::new("kdk one pairing bn254", seats, move || one_pairing(seats)).against("kdk literal bn254", literal),
    ]
}

fn figure_1(bits: u32) -> [Row; 2] {
    let n = format!("2^{bits}");
    [
        Row::new("lambda curve bn254", &n, move || lambda::<OnCurve>(bits)),
        Row::new("lambda group bn254", &n, move || lambda::<InTarget>(bits)),
    ]
}

/// A scalar of full length.
fn scalar(random: &mut Random) -> Fr {
    Fr::from(random.next()).pow([0xffff_ffff_ffff_fff1])
}

/// The next round's point; hashing to it costs next to nothing beside pairings.
fn next(point: &mut G1Projective) -> G1Affine {
    *point += G1Affine::generator();
    point.into_affine()
}

fn keys(random: &mut Random, seats: u16) -> Vec<G2Affine> {
    (0..seats).map(|_| (G2Projective::generator() * scalar(random)).into_affine()).collect()
}

fn literal(seats: u16) -> Work {
    let mut random = Random(1);
    let (keys, x) = (keys(&mut random, seats), scalar(&mut random));
    let mut point = G1Projective::generator();
    Box::new(move || {
        let (round, me) = (next(&mut point), random.below(seats.into()) as usize);
        let others = keys.iter().enumerate().filter(|(seat, _)| *seat != me);
        let w: Target = others.map(|(seat, key)| Bn254::pairing(round, if seat < me { -*key } else { *key })).sum();
        let _ = black_box(w * x + Target::generator() * Fr::from(1_234));
    })
}

fn one_pairing(seats: u16) -> Work {
    let mut random = Random(1);
    let sum: G2Projective = keys(&mut random, seats).into_iter().sum();
    let prepared = prepare_g2::<Bn254>(sum * scalar(&mut random));
    let mut point = G1Projective::generator();
    Box::new(move || {
        let mask = Bn254::pairing(next(&mut point), prepared.clone());
        let _ = black_box(mask + Target::generator() * Fr::from(1_234));
    })
}

/// In the first group, as the paper did for a fair comparison.
fn pcl(seats: u16) -> Work {
    let mut random = Random(1);
    let mut point = || (G1Projective::generator() * scalar(&mut random)).into_affine();
    let keys: Vec<_> = (0..seats).map(|_| point()).collect();
    let coefficients: Vec<_> = keys.iter().map(|_| scalar(&mut random)).collect();
    let x = scalar(&mut random);
    Box::new(move || {
        let me = random.below(seats.into()) as usize;
        let terms = keys.iter().zip(&coefficients).enumerate().filter(|(seat, _)| *seat != me);
        let w: G1Projective = terms.map(|(_, (key, a))| *key * a).sum();
        let _ = black_box((w * x + G1Projective::generator() * Fr::from(1_234)).into_affine());
    })
}

fn lambda<G: Walkable + 'static>(bits: u32) -> Work {
    let (mut random, sums) = sums(bits, G::times_base_vartime);
    Box::new(move || {
        let seed = random.next();
        if let (Some(sum), Some(range)) = (random.one(&sums), range(bits)) {
            let _ = black_box(walk_vartime(sum, range, seed));
        }
    })
}

/// An affine point: what tracks are compared by must be the same for equal points.
#[derive(Clone, PartialEq)]
struct OnCurve(G1Affine);

#[derive(Clone, PartialEq)]
struct InTarget(Fq12);

fn bytes(limbs: [u64; 4]) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.iter_mut().zip(limbs.into_iter().flat_map(u64::to_le_bytes)).for_each(|(to, from)| *to = from);
    bytes
}

fn signed(s: i64) -> Fr {
    let scalar = Fr::from(s.unsigned_abs());
    if s < 0 { -scalar } else { scalar }
}

impl Walkable for OnCurve {
    type Mark = [u8; 32];

    fn times_base_vartime(s: i64) -> Self {
        Self((G1Projective::generator() * signed(s)).into_affine())
    }

    fn step(&mut self, by: &Self) {
        self.0 = (self.0 + by.0).into_affine();
    }

    fn mark(&self) -> Self::Mark {
        bytes(self.0.x.into_bigint().0)
    }
}

impl Walkable for InTarget {
    type Mark = [u8; 32];

    fn times_base_vartime(s: i64) -> Self {
        Self((Target::generator() * signed(s)).0)
    }

    fn step(&mut self, by: &Self) {
        self.0 *= by.0;
    }

    fn mark(&self) -> Self::Mark {
        bytes(self.0.c0.c0.c0.0.0)
    }
}
