// One side of `undertone bench room-cpu`: all parties of JIFF in one process.
//
//   node benches/jiff/parties.mjs FOLDER URL PARTIES VALUES
//
// FOLDER holds node_modules. Says its CPU time when all parties are connected, waits for a line, adds up
// VALUES numbers of each party, and says its CPU time and the sums once every party has them all.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [folder, url, parties, values] = process.argv.slice(2);
const [n, length] = [Number(parties), Number(values)];
const { JIFFClient } = createRequire(join(folder, 'package.json'))('jiff-mpc');

const say = (fields = {}) => {
  const { user, system } = process.cpuUsage();
  process.stdout.write(`${JSON.stringify({ cpu_us: user + system, ...fields })}\n`);
};
// JIFF says there when a party connects; writing that down is no part of its work.
console.log = () => {};

/** All of them, once every one is connected. */
function connect() {
  return new Promise((resolve) => {
    let connected = 0;
    const onConnect = () => {
      connected += 1;
      if (connected === n) resolve(all);
    };
    const one = () => new JIFFClient(url, 'sum', { party_count: n, crypto_provider: true, onConnect });
    const all = Array.from({ length: n }, one);
  });
}

/** The sum of everyone's shares of one number, opened. */
function add(party, value) {
  const shares = party.share(value);
  let sum = shares[1];
  for (let id = 2; id <= n; id += 1) sum = sum.sadd(shares[id]);
  return party.open(sum);
}

const round = (party, seat) => Promise.all(Array.from({ length }, (_, at) => add(party, (seat * 37 + at) % 101)));

const all = await connect();
say();
const lines = createInterface({ input: process.stdin });
lines.once('close', () => process.exit(0));
await new Promise((resolve) => lines.once('line', resolve));
const sums = await Promise.all(all.map(round));
say({ sums: sums[0].map(String), agree: sums.every((one) => String(one) === String(sums[0])) });
