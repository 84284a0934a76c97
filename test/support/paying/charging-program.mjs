/**
 * The service as a process of its own, for tests that kill it. It imports the built files, because it runs without the test
 * runner. Its settings come from the environment, as those of the program do; its argument says where names lead and how
 * far its clock is ahead. It says 'ready' and reads lines: 'go' opens the store and says where it listens; the name of a
 * step and a number say after which step it dies, once that many charges have come so far.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
// The program loads these when it needs them; here they are loaded before it is told to go.
import '../../../dist/adapters/facilitator/chain-log.js';
import '../../../dist/adapters/facilitator/http-facilitator.js';
import { createProber } from '../../../dist/adapters/probe/create-prober.js';
import '../../../dist/adapters/store/postgres/open.js';
import '../../../dist/adapters/store/sqlite/open.js';
import { createLog } from '../../../dist/adapters/system/log.js';
import { createHttpServer } from '../../../dist/http/server.js';
import { buildApp } from '../../../dist/main/build/build-app.js';
import { openPayments } from '../../../dist/main/build/open-payments.js';
import { openStore } from '../../../dist/main/build/open-store.js';
import { createRuntime } from '../../../dist/main/build/runtime.js';
import { readConfig } from '../../../dist/main/config/config.js';
import { startBackgroundJobs } from '../../../dist/main/serve/background-jobs.js';
import { listenOn } from '../../../dist/main/serve/listen.js';

const say = (line) => process.stdout.write(`${line}\n`);
const { sellerPort, aheadMs } = JSON.parse(process.argv[2]);

/** Every name leads to one seller on loopback. */
function proberFor(policy) {
  return createProber({
    policy,
    userAgent: 'Assay-Prober/0',
    timeoutMs: 5_000,
    resolve: async () => ({ kind: 'addresses', addresses: ['93.184.216.34'] }),
    async dial() {
      const socket = connect({ host: '127.0.0.1', port: sellerPort });
      await once(socket, 'connect');
      return socket;
    },
  });
}

const death = { step: '', charges: 0 };

/** Charges wait for each other at the step, so that all of them are there when the process dies. */
async function dieThere(step) {
  if (step !== death.step) return;
  death.charges -= 1;
  if (death.charges === 0) process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
}

async function start() {
  const { config, problem } = readConfig();
  if (config === undefined) throw new Error(problem);
  const log = createLog(config.logLevel);
  const parts = {
    store: await openStore(config),
    payments: await openPayments(config, log),
    log,
    metrics: null,
  };
  const app = {};
  const server = createHttpServer({ answer: (incoming) => app.its.answer(incoming) });
  const baseUrl = await listenOn(server, config.host, 0);
  const known = { ...config, baseUrl };
  const real = createRuntime(known, parts);
  const runtime = {
    ...real,
    prober: proberFor(real.policy),
    now: () => new Date(Date.now() + aheadMs),
    onChargeStep: dieThere,
  };
  app.its = buildApp(known, runtime);
  startBackgroundJobs({ ...runtime, log });
  say(`listening on ${baseUrl}`);
}

say('ready');
// It ends with whoever started it, because then there are no more lines.
for await (const line of createInterface({ input: process.stdin })) {
  const [word, charges] = line.split(' ');
  if (word === 'go') {
    await start();
  } else {
    Object.assign(death, { step: word, charges: Number(charges) });
    say(`dies after ${word}`);
  }
}
process.exit();
