// One side of `undertone bench room-cpu`: the server of JIFF, and nothing else in its process.
//
//   node benches/jiff/server.mjs FOLDER
//
// FOLDER holds node_modules. Prints its port, then its CPU time so far for each line that it reads.

import http from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const { JIFFServer } = createRequire(join(process.argv[2], 'package.json'))('jiff-mpc');

const server = http.createServer();
new JIFFServer(server, { logs: false });
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return JSON.stringify({ cpu_us: user + system });
};

const lines = createInterface({ input: process.stdin });
lines.on('line', () => console.log(cpu()));
// Whoever started it is gone.
lines.on('close', () => process.exit(0));
