import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { createSignatureCheck } from '../../src/adapters/facilitator/signature-check.ts';
import { buildTaskIndex } from '../../src/core/catalog/task-index.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../src/core/x402/read-json.ts';
import type { App } from '../../src/http/app.ts';
import { partsOf } from '../../src/http/exchange/answer.ts';
import { buildApp } from '../../src/main/build/build-app.ts';
import { logKeeperOf } from '../../src/main/build/log-keeper.ts';
import { readConfig } from '../../src/main/config/config.ts';
import type { Behaviour } from './behaviour.ts';
import type { Finding } from './outcome.ts';
import { NOW, type World } from './world.ts';

const SPOT_CHECK = '/v1/products/endpoint-spot-check';
const BASE_URL = 'https://assay.example.org';
const SELF_TEST_KEY = 'self-test-key-of-the-calibration';
const AT_ONCE = 16;

/** The whole service is asked about every behaviour, with what its caller claims. */
export async function checkByService(
  corpus: readonly Behaviour[],
  world: World,
  secret: string,
): Promise<ReadonlyMap<Behaviour, Finding>> {
  const faults: unknown[] = [];
  const app = serviceOn(world, secret, faults);
  const findings = new Map<Behaviour, Finding>();
  const left = corpus.entries();
  const work = async () => {
    for (const [index, behaviour] of left) findings.set(behaviour, await check(app, behaviour, index));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (faults.length > 0) throw new Error('the service failed', { cause: faults[0] });
  return findings;
}

function serviceOn({ store, prober, policy }: World, secret: string, faults: unknown[]): App {
  const reading = readConfig({ BASE_URL, SELF_TEST_KEY });
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  const ids = { last: 0 };
  return buildApp(
    { ...reading.config, baseUrl: BASE_URL },
    {
      store,
      prober,
      painter: { paint: async () => null, close: async () => {} },
      proofs: { file: async () => null, records: async () => [] },
      sendWebhook: async () => 'failed',
      policy,
      index: buildTaskIndex([]),
      secret,
      version: '0.0.0',
      pack: Buffer.alloc(0),
      rules: new Map(),
      facilitator: {
        verify: async () => ({ kind: 'unavailable' }),
        settle: async () => ({ kind: 'unknown' }),
      },
      signatures: createSignatureCheck(),
      authorizationLog: { useOf: async () => ({ kind: 'unavailable' }) },
      wait: (milliseconds) => wait(milliseconds),
      now: () => NOW,
      entropy: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
      newRequestId: () => `request-${++ids.last}`,
      onAnswer: () => {},
      onFault: (_, fault) => faults.push(fault),
      stopwatch: () => 0,
      ...logKeeperOf(reading.config, { secret, store, log: { info: () => {}, warn: () => {} } }),
    },
  );
}

async function check(app: App, behaviour: Behaviour, index: number): Promise<Finding> {
  const fields: Readonly<Record<string, string>> = {
    authorization: `Bearer ${SELF_TEST_KEY}`,
    'content-type': 'application/json',
  };
  const answer = await app.answer({
    method: 'POST',
    target: SPOT_CHECK,
    address: `100.64.${index >> 8}.${index & 255}`,
    header: (name) => fields[name] ?? null,
    body: Readable.from([Buffer.from(JSON.stringify(behaviour.asked))]),
  });
  const text = partsOf(answer.body ?? '').join('');
  const json = parseJson(text);
  const finding = isJsonObject(json) ? findingOf(answer.status, json) : null;
  if (finding === null)
    throw new Error(`no verdict on "${behaviour.name}" (${behaviour.group}): ${answer.status} ${text}`);
  return finding;
}

/** A URL that is not fetched is refused without a verdict: nobody will pay there. */
function findingOf(status: number, json: JsonObject): Finding | null {
  const { verdict, reason, needs_input, payment, code } = json;
  if (status === 400 && code === 'ssrf_blocked') return { outcome: 'skip', code, payTo: null };
  if (status !== 200 || typeof reason !== 'string') return null;
  if (needs_input !== null) return { outcome: 'aside', code: 'needs_input', payTo: null };
  const payTo = isJsonObject(payment) && typeof payment['pay_to'] === 'string' ? payment['pay_to'] : null;
  if (verdict !== 'pay' && verdict !== 'skip' && verdict !== 'recheck') return null;
  return { outcome: verdict, code: reason, payTo };
}
