import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkOf } from '../../support/asking.ts';
import { type FakeSeller, startSeller } from '../../support/probing/fake-seller.ts';
import { probingHarness } from '../../support/probing/probing.ts';
import { scriptedSeller } from '../../support/probing/scripted-seller.ts';
import { type Received, startService, type TestService } from '../../support/running/running-service.ts';
import { newSqlitePlace } from '../../support/storing/stores.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** One victim: every name leads to its address, and it answers nobody until it is told to. */
async function startVictim() {
  const waiting: (() => void)[] = [];
  const state = { open: 0, most: 0, answers: false };
  const seller: FakeSeller = await startSeller((socket, request) => {
    if (state.answers) scriptedSeller(socket, request);
    else waiting.push(() => scriptedSeller(socket, request));
  });
  closing.push(seller.close);
  const dial = async (): Promise<Socket> => {
    state.open += 1;
    state.most = Math.max(state.most, state.open);
    const socket = connect({ host: '127.0.0.1', port: seller.port });
    socket.on('close', () => {
      state.open -= 1;
    });
    await once(socket, 'connect');
    return socket;
  };
  const answer = () => {
    state.answers = true;
    for (const go of waiting.splice(0)) go();
  };
  return { dial, state, waiting, answer, seller };
}

/** Asks for the same path at so many names, spread over the services; `told` counts the refused as they come. */
function askAll(names: number, services: readonly TestService[], from?: string) {
  const told: Received[] = [];
  const asked = Array.from({ length: names }, async (_, n) => {
    const service = services[n % services.length];
    if (service === undefined) throw new Error('there is no service');
    const path = checkOf(`http://name-${n}.example/honest`);
    const answer = await service.ask(path, from === undefined ? {} : { from });
    told.push(answer);
    return answer;
  });
  return { told, all: Promise.all(asked) };
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((done) => setTimeout(done, 5));
};

describe('300 names on one address (G101)', () => {
  const start = async (victim: Awaited<ReturnType<typeof startVictim>>, count: number) => {
    const place = await newSqlitePlace();
    const { prober } = probingHarness(victim.seller.port, { dial: victim.dial, timeoutMs: 60_000 });
    const services: TestService[] = [];
    for (let n = 0; n < count; n += 1) {
      // The first one removes it, after the others.
      const its = n === 0 ? place : { ...place, remove: async () => {} };
      services.push(await startService({ place: its, world: { prober } }));
    }
    for (const service of services) closing.push(service.close);
    return services;
  };

  it('are never more than 24 connections at once, from two processes together', async () => {
    const victim = await startVictim();
    const services = await start(victim, 2);
    const { told, all } = askAll(300, services);
    await until(() => told.length === 276 && victim.waiting.length === 24);
    expect(new Set(told.map(({ status, json }) => `${status} ${json.code}`))).toEqual(
      new Set(['429 target_busy']),
    );
    victim.answer();
    const verdicts = (await all).filter(({ status }) => status === 200).map(({ json }) => json.verdict);
    expect(verdicts).toEqual(Array<string>(24).fill('pay'));
    expect([victim.state.most, victim.seller.requests.length]).toEqual([24, 24]);
    // Every slot is free again.
    const again = await services[0]?.ask(checkOf('http://name-299.example/honest'));
    expect(again?.json.verdict).toBe('pay');
  });

  it('one caller has eight of them, and does not shut others out of the address', async () => {
    const victim = await startVictim();
    const services = await start(victim, 1);
    const { told, all } = askAll(40, services, '198.51.100.7');
    await until(() => told.length === 32 && victim.waiting.length === 8);
    const other = services[0]?.ask(checkOf('http://other.example/honest'));
    await until(() => victim.waiting.length === 9);
    victim.answer();
    await all;
    expect([(await other)?.json.verdict, victim.state.most]).toEqual(['pay', 9]);
  });

  it('get 300 new probes a minute, ten times those of a host', async () => {
    const victim = await startVictim();
    victim.answer();
    const [service] = await start(victim, 1);
    const statuses: (number | undefined)[] = [];
    for (let n = 0; n < 302; n += 1) {
      statuses.push((await service?.ask(checkOf(`http://name-${n}.example/honest`)))?.status);
    }
    // A caller whose random address was used before has no free check left, but its probe counts.
    expect(statuses.filter((status) => status !== 429)).toHaveLength(300);
    expect(statuses.slice(300)).toEqual([429, 429]);
  });
});
