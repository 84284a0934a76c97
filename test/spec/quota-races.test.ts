import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOf, useService } from '../support/asking.ts';
import {
  CROWDED,
  DOORS,
  freshAddress,
  type Received,
  type Sent,
  startService,
  type TestService,
} from '../support/running/running-service.ts';
import { sized } from '../support/sized.ts';
import { newSqlitePlace } from '../support/storing/stores.ts';

const WEATHER = '/v1/lookup?task=weather';
const HONEST = checkOf('http://seller.example/honest');
const HOSTS = ['assay.example.org', 'alt.example.org', 'legacy.example.net'];

const times = <T>(count: number, act: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => act(index));

/** How many answers there are of each status. */
function counted(answers: readonly Received[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function usedIn(answers: readonly Received[]): number[] {
  const free = answers.filter(({ status }) => status === 200);
  return free.map(({ json }) => json.access.free_used_today).sort((left, right) => left - right);
}

describe.each(DOORS)('everybody at once, through the %s', (door) => {
  const service = useService({ door, settings: CROWDED });
  const together = (count: number, ask: (index: number) => Promise<Received>) =>
    Promise.all(times(count, ask));

  it('100 lookups of a fresh caller: exactly 5 are free', async () => {
    for (let round = 0; round < sized(4, 40); round += 1) {
      const from = freshAddress();
      const answers = await together(100, () => service.ask(WEATHER, { from }));
      expect(counted(answers)).toEqual({ 200: 5, 402: 95 });
      expect(usedIn(answers)).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it('100 checks of a fresh caller: exactly 1 is free, and one probe is sent', async () => {
    for (let round = 0; round < sized(2, 5); round += 1) {
      const from = freshAddress();
      const url = `http://race-${round}.example/honest`;
      const answers = await together(100, () => service.ask(checkOf(url), { from }));
      expect(counted(answers)).toEqual({ 200: 1, 402: 99 });
      expect(usedIn(answers)).toEqual([1]);
      expect(service.sellerRequests.filter((text) => text.includes(`race-${round}.`))).toHaveLength(1);
    }
  });

  it('200 dry runs of a fresh caller: exactly 50, and no probe for the others', async () => {
    const from = freshAddress();
    const answers = await together(200, (n) =>
      service.ask(checkOf(`http://dry-${n}.example/honest`, { mode: 'dry-run' }), { from }),
    );
    expect(counted(answers)).toEqual({ 200: 50, 429: 150 });
    expect(usedIn(answers)).toEqual(times(50, (index) => index + 1));
    expect(service.sellerRequests.filter((text) => text.includes('dry-'))).toHaveLength(50);
    const { count } = (await service.ask('/v1/receipts?type=dry-run&limit=100')).json;
    expect(count).toBe(50);
  });

  it('all three addresses, HEAD, bad parameters and paid lookups mixed in: still exactly 5', async () => {
    const from = freshAddress();
    const asked = (index: number): Promise<Received> => {
      const host = HOSTS[index % 3] ?? '';
      const sent: Sent = { from, headers: { host } };
      if (index % 5 === 1) return service.ask(WEATHER, { ...sent, method: 'HEAD' });
      if (index % 5 === 2) return service.ask('/v1/lookup?task=weather&n=0', sent);
      if (index % 5 === 3) return service.ask('/v1/lookup/paid?task=weather', sent);
      return service.ask(WEATHER, sent);
    };
    const answers = await together(100, asked);
    const metered = answers.filter((_, index) => index % 5 === 0 || index % 5 === 4);
    expect(counted(metered)).toEqual({ 200: 5, 402: 35 });
    expect(usedIn(metered)).toEqual([1, 2, 3, 4, 5]);
    expect(counted(answers.filter((_, index) => index % 5 === 2))).toEqual({ 400: 20 });
  });

  it('many names of one address: exactly 100 (G02)', async () => {
    const from = freshAddress();
    const answers = await together(150, (n) => service.ask(`${WEATHER}&client=name-${n % 75}`, { from }));
    expect(counted(answers)).toEqual({ 200: 100, 402: 50 });
  });

  it('checks of dead targets are given back once, not twice', async () => {
    const from = freshAddress();
    const down = checkOf('http://dead.example/down');
    const answers = await together(10, () => service.ask(down, { from }));
    // Each free one gives its use back, so that more than one may have been free.
    expect(answers.every(({ status }) => status === 200 || status === 402)).toBe(true);
    expect(usedIn(answers).every((used) => used === 0)).toBe(true);
    expect(counted(await together(20, () => service.ask(HONEST, { from })))).toMatchObject({ 200: 1 });
  });

  it('100 lookups across midnight: 5 on each side', async () => {
    const from = freshAddress();
    service.at('2026-11-15T23:59:59.900Z');
    const before = times(50, () => service.ask(WEATHER, { from }));
    // The app reads its clock when a request arrives; through the socket that is later.
    if (door === 'socket') await Promise.all(before);
    service.at('2026-11-16T00:00:00.100Z');
    const after = times(50, () => service.ask(WEATHER, { from }));
    expect(counted(await Promise.all(before))).toEqual({ 200: 5, 402: 45 });
    expect(counted(await Promise.all(after))).toEqual({ 200: 5, 402: 45 });
  });
});

describe('everybody at once, on raw connections', () => {
  const service = useService({ door: 'socket' });
  const lookup = (client: string) =>
    `GET ${WEATHER}&client=${client} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 100.64.7.7\r\n\r\n`;
  const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);

  /** Sends all but the last byte, then that one together with everybody else's, and reads so many answers. */
  async function open(text: string, answers: number) {
    const { hostname, port } = new URL(service.address ?? '');
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    socket.write(text.slice(0, -1));
    return {
      async release(): Promise<string[]> {
        socket.write(text.slice(-1));
        let received = '';
        for await (const chunk of socket) {
          received += String(chunk);
          if (statusesIn(received).length === answers && received.endsWith('}')) break;
        }
        return statusesIn(received).map(String);
      },
    };
  }

  it('30 pipelined lookups on one connection: exactly 5 are free', async () => {
    const connection = await open(lookup('pipelined').repeat(30), 30);
    const statuses = await connection.release();
    expect(statuses.filter((status) => status === '200')).toHaveLength(5);
    expect(statuses.filter((status) => status === '402')).toHaveLength(25);
  });

  it('60 connections that were held back and let go together: exactly 5', async () => {
    const connections = await Promise.all(times(60, () => open(lookup('held'), 1)));
    const statuses = (await Promise.all(connections.map(({ release }) => release()))).flat();
    expect(statuses.filter((status) => status === '200')).toHaveLength(5);
    expect(statuses.filter((status) => status === '402')).toHaveLength(55);
  });
});

describe.each(DOORS)('two services on one store, through the %s', (door) => {
  const services: TestService[] = [];

  beforeAll(async () => {
    const place = await newSqlitePlace();
    services.push(await startService({ door, place, timeoutMs: 5_000, settings: CROWDED }));
    // The first one removes the place when all is over.
    services.push(
      await startService({
        settings: CROWDED,
        door,
        timeoutMs: 5_000,
        place: { ...place, remove: async () => {} },
      }),
    );
  });
  afterAll(async () => {
    for (const service of services.toReversed()) await service.close();
  });

  const together = (count: number, path: string | ((index: number) => string), sent: Sent) =>
    Promise.all(
      times(count, async (index) => {
        const service = services[index % 2];
        if (service === undefined) throw new Error('not started');
        return service.ask(typeof path === 'string' ? path : path(index), sent);
      }),
    );

  it('100 lookups of a fresh caller: exactly 5 are free', async () => {
    for (let round = 0; round < 10; round += 1) {
      const answers = await together(100, WEATHER, { from: freshAddress() });
      expect(counted(answers)).toEqual({ 200: 5, 402: 95 });
      expect(usedIn(answers)).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it('100 checks of a fresh caller: exactly 1 is free', async () => {
    expect(counted(await together(100, HONEST, { from: freshAddress() }))).toEqual({ 200: 1, 402: 99 });
  });

  it('200 dry runs of a fresh caller: exactly 50', async () => {
    const answers = await together(200, `${HONEST}&mode=dry-run`, { from: freshAddress() });
    expect(counted(answers)).toEqual({ 200: 50, 429: 150 });
    expect(usedIn(answers)).toEqual(times(50, (index) => index + 1));
  });

  it('a probe of one is reused by the other', async () => {
    const before = services.map(({ sellerRequests }) => sellerRequests.length);
    const url = checkOf('http://shared.example/honest', { mode: 'dry-run' });
    await services[0]?.ask(url);
    expect((await services[1]?.ask(url))?.json.verdict).toBe('pay');
    expect(services.map(({ sellerRequests }, index) => sellerRequests.length - (before[index] ?? 0))).toEqual(
      [1, 0],
    );
  });

  it('30 new probes a minute of one target, together (G38)', async () => {
    const granted = async (mode: string, from: () => string) => {
      const statuses: number[] = [];
      for (let n = 0; n < 32; n += 1) {
        const path = checkOf(`http://victim.example/honest?n=${freshAddress()}`, { mode });
        statuses.push(...(await together(1, path, { from: from() })).map(({ status }) => status));
      }
      return statuses.filter((status) => status === 200).length;
    };
    // Of these, one caller gets a third, and dry runs leave a third to live checks (G101).
    const one = freshAddress();
    expect(await granted('dry-run', () => one)).toBe(10);
    expect(await granted('dry-run', freshAddress)).toBe(10);
    expect(await granted('live', freshAddress)).toBe(10);
  });
});
