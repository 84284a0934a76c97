import { ed25519Signer } from '../../src/adapters/log/ed25519-signer.ts';
import { createHttpVantages } from '../../src/adapters/vantage/http-vantages.ts';
import type { NoteSigner } from '../../src/core/log/note.ts';
import { microUsd } from '../../src/core/money/micro-usd.ts';
import { parseTargetUrl, type TargetUrl } from '../../src/core/url/target-url.ts';
import { parseVantages, type VantageList } from '../../src/core/vantage/vantage-files.ts';
import { SYSTEM } from '../../src/main/build/system.ts';
import type { Prober } from '../../src/ports/prober.ts';
import type { Vantages } from '../../src/ports/vantages.ts';
import { median } from '../../tools/measure.ts';
import { startLoopbackSeller } from '../check/loopback-prober.ts';
import type { Report } from '../report/findings.ts';
import { startVantages } from './vantage-processes.ts';

/**
 * What asking two vantages costs, beside one probe of the same seller and beside a bare request to both processes at the same
 * time; they take turns.
 */
const ROUNDS = 600;
const WARM_UP = 300;
/** A vantage admits 600 requests of a client in a minute. */
const CLIENTS = 16;

const hosts = { next: 0 };

/** A host of its own: a vantage admits 30 requests to one in a minute. */
function nextTarget(): TargetUrl {
  hosts.next += 1;
  const reading = parseTargetUrl(`http://shop-${hosts.next}.example.net/data`);
  if (reading.kind === 'invalid') throw new Error('the target of the benchmark should be a URL');
  return reading.target;
}

async function millisecondsOf(run: () => Promise<void>): Promise<number> {
  const start = process.hrtime.bigint();
  await run();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

async function probe(prober: Prober, target: TargetUrl): Promise<void> {
  const outcome = await prober.probe({ target, method: 'GET' });
  if (outcome.kind !== 'answered' || outcome.status !== 402)
    throw new Error(`the probe ended as ${outcome.kind}`);
}

async function ask(vantages: Vantages, target: TargetUrl): Promise<void> {
  const views = await vantages.ask({ target, method: 'GET' });
  if (views.length !== vantages.needed) throw new Error(`${views.length} views`);
}

/** What no message to both processes can be faster than. */
async function greet(addresses: readonly string[]): Promise<void> {
  await Promise.all(addresses.map(async (url) => (await fetch(`${url}/healthz`)).text()));
}

function portsOf(list: VantageList, signers: readonly NoteSigner[]): readonly Vantages[] {
  const parts = { ...list, ...SYSTEM, fromPrice: microUsd(0n), onAnswer: () => {}, onChange: () => {} };
  return signers.map((signer) => createHttpVantages({ ...parts, signer }));
}

export async function benchVantage(): Promise<Report> {
  const signers = Array.from({ length: CLIENTS }, (_, n) =>
    ed25519Signer(`bench.example/${n}`, SYSTEM.entropy(32)),
  );
  const seller = await startLoopbackSeller();
  const vantages = await startVantages(
    seller.port,
    signers.map(({ key }) => key),
  );
  const list = parseVantages(vantages.file);
  if ('fault' in list) throw new Error(list.fault);
  const ports = portsOf(list, signers);
  const addresses = list.vantages.map(({ url }) => url);
  const times = {
    ...{ probe: [] as number[], greet: [] as number[] },
    ...{ ask: [] as number[], together: [] as number[] },
  };
  try {
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const port = ports[(round + WARM_UP) % CLIENTS];
      if (port === undefined) throw new Error('there should be a client');
      const target = nextTarget();
      const probeMs = await millisecondsOf(() => probe(seller.prober, target));
      const greetMs = await millisecondsOf(() => greet(addresses));
      const askMs = await millisecondsOf(() => ask(port, target));
      const both = () => Promise.all([probe(seller.prober, target), ask(port, target)]);
      const togetherMs = await millisecondsOf(async () => void (await both()));
      if (round < 0) continue;
      times.probe.push(probeMs);
      times.greet.push(greetMs);
      times.ask.push(askMs);
      times.together.push(togetherMs);
    }
  } finally {
    vantages.stop();
    seller.close();
  }
  const [probeMs, greetMs] = [median(times.probe), median(times.greet)];
  const finding = (what: string, all: readonly number[]) => {
    const ms = median(all);
    return {
      what,
      measured: `${ms.toFixed(2)} ms`,
      bare: `${probeMs.toFixed(2)} ms for the probe, ${greetMs.toFixed(2)} ms to both processes`,
      ratio: ms / probeMs,
    };
  };
  const about =
    `Two vantages in processes of their own, asked at the same time; bare is one probe of the same seller from here, which the ` +
    'ratio is to, and one request to both without any work. On loopback all processes share the cores, and the network takes nothing. ' +
    `Nothing is promised. Medians of ${ROUNDS}.`;
  return {
    about,
    findings: [
      finding('two vantages asked', times.ask),
      finding('a probe and two vantages, at the same time', times.together),
    ],
  };
}
