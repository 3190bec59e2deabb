/**
 * A stand-in for the wasm module that checks records: for screenshots and tests of the page.
 *
 * The file's text says what comes out: `bad` does not hold, `without` has no key.
 */
export default async function init() {}

const UNIT = { unit: "EUR", rounded: false };
const SEATS = Array.from({ length: 7 }, (_, seat) => ({
  author: Array.from({ length: 32 }, (_, byte) => ((seat * 83 + byte * 47 + 29) & 255).toString(16).padStart(2, "0")).join(""),
  contributes: true,
  byLink: seat !== 4,
}));
const QUESTIONS = [
  { number: 1, service: "mean", title: "Average", question: "How much pocket money do you get in a month?", confirmed: 7 },
  { number: 2, service: "sum", title: "Sum", question: "And how much of it do you save?", confirmed: 0 },
];

export function verify_record(bytes) {
  const text = new TextDecoder().decode(bytes);
  if (text.includes("bad")) {
    throw { code: "bad-signature", field: null, message: "A message was not signed by who it says." };
  }
  const keyed = !text.includes("without");
  const figures = [
    { ...UNIT, name: "sum", value: "1285.50" },
    { name: "count", value: "7", unit: "", rounded: false },
    { ...UNIT, name: "mean", value: "183.64", rounded: true },
  ];
  const all = [0, 1, 2, 3, 4, 5, 6];
  const questions = QUESTIONS.map((row) => ({
    ...row,
    acknowledged: 7,
    sent: row.confirmed ? all : all.slice(2),
    figures: keyed && row.confirmed ? figures : null,
  }));
  const room = "5e1f0c7a90d2b3846f21e8c4a7b95d3012fe64c8a1b07d93e5f2486c0b9ad731";
  return { room, code: "copper lantern seven river", tier: "unverified", list: 2, keyed, host: 3, seats: SEATS, questions };
}
