import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request as send } from 'undici';
import type { ChargeStep } from '../../../src/flows/pay/charge.ts';
import type { LocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import { projectFile } from '../../../tools/project-file.ts';
import { type Ask, type Received, SELF_TEST_KEY } from '../running/running-service.ts';
import type { Place } from '../storing/stores.ts';
import { NOTHING_FREE } from './paying-service.ts';

/** `npm test` builds what they import. */
const PROGRAM = fileURLToPath(new URL('./charging-program.mjs', import.meta.url));
const SERVE = projectFile('dist/bundle/node/serve.js');

/** Settings know no blanks. */
export const CHILD_SECRET = 'a-secret-of-the-test-suite-0123456789';

/** What stays while processes come and go. */
export interface Surroundings {
  readonly chain: LocalChain;
  readonly facilitatorUrl: string;
  readonly place: Place;
}

export interface Bent {
  /** Where every name leads. */
  readonly sellerPort: number;
  /** How far the clock is ahead. */
  readonly aheadMs: number;
}

/** The service in a process of its own. */
export interface ChargingChild {
  /** Opens the store and listens; loading was done before. */
  go(): Promise<void>;
  readonly ask: Ask;
  /** Where it listens. */
  address(): string;
  /** From now on it dies after this step, once that many charges have come so far; not the program itself. */
  dieAfter(step: ChargeStep, charges: number): Promise<void>;
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
  /** How it ended: a code, or the signal that killed it. */
  ended(): Promise<number | string>;
}

/** The service with bent edges; see charging-program.mjs. */
export function chargingChild(around: Surroundings, bent: Bent): ChargingChild {
  const program = [PROGRAM, JSON.stringify(bent)];
  return controlled(spawn(process.execPath, program, { env: settingsOf(around) }), 'stdout');
}

/** The same where nobody pays: checks with the self-test key, as many as one likes. */
export function checkingChild({ settings }: Place, sellerPort: number): ChargingChild {
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    LOG_LEVEL: 'silent',
    SECRET: CHILD_SECRET,
    SELF_TEST_KEY,
    PROBES_PER_HOST_MINUTE: '100000',
    REQUESTS_PER_ADDRESS: '1000',
    ...('file' in settings ? { DATA_DIR: dirname(settings.file) } : { DATABASE_URL: settings.url }),
  };
  const program = [PROGRAM, JSON.stringify({ sellerPort, aheadMs: 0 })];
  return controlled(spawn(process.execPath, program, { env }), 'stdout');
}

/** The program itself, as it is started by an operator. */
export function servingChild(around: Surroundings): ChargingChild {
  return controlled(spawn(process.execPath, [SERVE], { env: settingsOf(around) }), 'stderr');
}

function settingsOf({ chain, facilitatorUrl, place: { settings } }: Surroundings): NodeJS.ProcessEnv {
  return {
    ...NOTHING_FREE,
    PATH: process.env['PATH'],
    PORT: '0',
    LOG_LEVEL: 'silent',
    SECRET: CHILD_SECRET,
    PAY_TO: chain.accounts.seller.address,
    FACILITATOR_URL: facilitatorUrl,
    RPC_URL: chain.rpcUrl,
    ...('file' in settings ? { DATA_DIR: dirname(settings.file) } : { DATABASE_URL: settings.url }),
  };
}

/** A process that says on this stream where it listens. */
function controlled(child: ChildProcessWithoutNullStreams, says: 'stdout' | 'stderr'): ChargingChild {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      output[name] += String(chunk);
    });
  }
  const closed = once(child, 'close').then(([code, signal]): number | string => code ?? signal);
  // Whoever is killed while it loads never reads the line.
  child.stdin.on('error', () => {});
  const heard = (line: RegExp) => line.exec(output[says]);
  const until = async (line: RegExp) => {
    while (heard(line) === null) {
      const end = await Promise.race([once(child[says], 'data'), closed]);
      if (!Array.isArray(end)) throw new Error(`the process ended with ${end}: ${output.stderr}`);
    }
  };
  const address = () => {
    const place = heard(LISTENING)?.[1];
    if (place === undefined) throw new Error('the process does not listen yet');
    return place;
  };
  return {
    async go() {
      child.stdin.write('go\n');
      await until(LISTENING);
    },
    ask: (path, sent) => askAt(address(), path, sent),
    address,
    async dieAfter(step, charges) {
      child.stdin.write(`${step} ${charges}\n`);
      await until(new RegExp(`dies after ${step}\n`));
    },
    signal(name) {
      child.kill(name);
    },
    ended: () => closed,
  };
}

const LISTENING = /listening on (http:\/\/\S+)\n/;

async function askAt(base: string, ...[path, sent = {}]: Parameters<Ask>): Promise<Received> {
  const { statusCode, headers, body } = await send(base + path, {
    method: sent.method === 'POST' ? 'POST' : 'GET',
    headers: { ...sent.headers },
    // Connections are not kept: one to a process that is gone must not be used for the next.
    reset: true,
  });
  const text = await body.text();
  return {
    status: statusCode,
    header: (name) => [headers[name.toLowerCase()] ?? []].flat().join(', ') || null,
    text,
    get json() {
      return JSON.parse(text);
    },
  };
}
