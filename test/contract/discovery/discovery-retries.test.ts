import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FetchFault } from '../../../src/adapters/probe/fetch-fault.ts';
import {
  type Answer,
  type ListServer,
  type ReadOptions,
  readAll,
  sourceOf,
  startListServer,
} from './discovery-server.ts';

let server: ListServer;
beforeAll(async () => {
  server = await startListServer();
});
afterAll(() => server.stop());

const GOOD = '{"items":["https://seller.example.com/1","https://seller.example.com/2"]}';
const READ = { kind: 'read', cut: null, items: 2 };

type Step = (response: ServerResponse) => void;
const good: Step = (response) => response.end(GOOD);
const status =
  (code: number, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(code, headers).end('{"items":[]}');
const hangUp: Step = (response) => response.destroy();
const cutOff: Step = (response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write(GOOD.slice(0, 40), () => response.destroy());
};
const stopped: Step = (response) => response.end(GOOD.slice(0, 40));

/** One step for each request; the last one for all that follow. */
function script(...steps: Step[]): Answer {
  let at = 0;
  return (_, response) => {
    steps[Math.min(at, steps.length - 1)]?.(response);
    at += 1;
  };
}

async function read(answer: Answer, options: Partial<ReadOptions> = {}) {
  server.answer(answer);
  const waits: number[] = [];
  const { endpoints, outcome } = await readAll(sourceOf({}, { fetch: server.fetch, waits, ...options }));
  return { outcome, waits, requests: server.requests.length, endpoints };
}

describe('a list that fails for a while', () => {
  it.each<[why: string, step: Step]>([
    ['answers 500', status(500)],
    ['answers 503', status(503)],
    ['answers 429', status(429)],
    ['answers 408', status(408)],
    ['hangs up', hangUp],
    ['breaks off in the middle', cutOff],
    ['stops in the middle as if it were whole', stopped],
  ])('and %s is asked again, later each time', async (_, step) => {
    // Backoff of 2, 4 and 8 seconds, with chance in the middle of its half.
    const { outcome, waits } = await read(script(step, step, step, good));
    expect(outcome).toMatchObject(READ);
    expect(waits).toEqual([1_500, 3_000, 6_000]);
  });

  it('is given up after four tries', async () => {
    const { outcome, requests } = await read(script(status(502)));
    expect(outcome).toMatchObject({ kind: 'failed', fault: { kind: 'http_status', status: 502 } });
    expect(requests).toBe(4);
  });

  it('may hand out its first entries twice, and counts them once', async () => {
    const { endpoints, outcome } = await read(script(cutOff, good));
    expect(outcome).toMatchObject(READ);
    expect(new Set(endpoints.map(({ target }) => target.href)).size).toBe(2);
  });

  it.each<[why: string, after: string, waited: number[], kind: string]>([
    ['seconds are waited for', '30', [30_000], 'read'],
    ['less than the backoff is not', '1', [1_500], 'read'],
    ['a date is waited for', 'Sun, 15 Nov 2026 00:00:45 GMT', [45_000], 'read'],
    ['a date of the past is not', 'Sat, 14 Nov 2026 00:00:00 GMT', [1_500], 'read'],
    ['nonsense is not', 'soon', [1_500], 'read'],
    ['two minutes are the most', '121', [], 'failed'],
  ])('and says when to come back: %s', async (_, after, waited, kind) => {
    const { outcome, waits } = await read(script(status(429, { 'retry-after': after }), good));
    expect(waits).toEqual(waited);
    expect(outcome).toMatchObject({ kind, ...(kind === 'failed' ? { fault: { kind: 'busy' } } : {}) });
  });
});

describe('a list that says no', () => {
  it.each<[number, object]>([
    [402, { kind: 'payment_required' }],
    [401, { kind: 'refused' }],
    [403, { kind: 'refused' }],
    [404, { kind: 'http_status', status: 404 }],
    [400, { kind: 'http_status', status: 400 }],
    [204, { kind: 'http_status', status: 204 }],
  ])('with %i is not asked again', async (code, fault) => {
    const { outcome, requests } = await read(script(status(code), good));
    expect(outcome).toMatchObject({ kind: 'failed', fault });
    expect(requests).toBe(1);
  });

  it('leads elsewhere and is not followed', async () => {
    const { outcome, requests } = await read(
      script(status(301, { location: 'https://list.example.com/b' }), good),
    );
    expect(outcome).toMatchObject({ kind: 'failed', fault: { kind: 'redirected' } });
    expect(requests).toBe(1);
  });

  it('never sees a payment, nor anything else about us in its headers', async () => {
    await read(script(status(402), good));
    await read(script(status(503), good));
    for (const { headers } of server.requests) {
      expect(Object.keys(headers).filter((name) => /payment|auth|cookie|signature/.test(name))).toEqual([]);
      expect(headers.accept).toBe('application/json, text/plain;q=0.5, */*;q=0.1');
    }
    expect(server.requests).toHaveLength(2);
  });
});

describe('what the gate says', () => {
  it.each<[kind: FetchFault['kind'], fault: string, tries: number]>([
    ['blocked', 'blocked', 1],
    ['redirected', 'redirected', 1],
    ['too_large', 'too_large', 1],
    ['bad_request', 'unreachable', 1],
    ['tls_failed', 'unreachable', 1],
    ['unreachable', 'unreachable', 4],
    ['timed_out', 'timed_out', 4],
    ['undecodable', 'cut_off', 4],
    ['broken', 'cut_off', 4],
  ])('%s', async (kind, fault, tries) => {
    let asked = 0;
    const fetch = async () => {
      asked += 1;
      throw new FetchFault(kind, false);
    };
    const { outcome } = await read(script(good), { fetch });
    expect(outcome).toMatchObject({ kind: 'failed', fault: { kind: fault } });
    expect(asked).toBe(tries);
  });
});

describe('time', () => {
  const silent: Step = () => undefined;
  const dripping: Step = (response) => {
    response.write('{"items":[');
    const timer = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(timer));
  };

  it.each<[why: string, step: Step]>([
    ['silent', silent],
    ['dripping', dripping],
  ])('a %s list is cut off by the time for one request', async (_, step) => {
    const { outcome, requests } = await read(script(step), { limits: { requestMs: 50, tries: 2 } });
    expect(outcome).toMatchObject({ kind: 'failed', fault: { kind: 'timed_out' } });
    expect(requests).toBe(2);
  });

  it('also when whoever fetches does not listen to the signal', async () => {
    const deaf = () => new Promise<Response>(() => undefined);
    const { outcome } = await read(script(good), { fetch: deaf, limits: { requestMs: 20, tries: 1 } });
    expect(outcome).toMatchObject({ kind: 'failed', fault: { kind: 'timed_out' } });
    const deafBody = async () =>
      new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }));
    const second = await read(script(good), { fetch: deafBody, limits: { requestMs: 20, tries: 1 } });
    expect(second.outcome).toMatchObject({ kind: 'failed', fault: { kind: 'timed_out' } });
  });

  it('a list that keeps failing is given up when its whole time is used up', async () => {
    const { outcome, waits } = await read(script(status(503)), { limits: { totalMs: 5_000, tries: 99 } });
    expect(outcome).toMatchObject({ kind: 'failed', fault: { kind: 'too_slow' } });
    expect(waits).toEqual([1_500, 3_000]);
  });

  it('a reading that is called off ends at once, and leaves no listener behind', async () => {
    const calledOff = new AbortController();
    server.answer((_, response) => {
      silent(response);
      calledOff.abort();
    });
    const { outcome } = await readAll(sourceOf({}, { fetch: server.fetch }), calledOff.signal);
    expect(outcome).toMatchObject({ kind: 'failed', fault: { kind: 'cancelled' } });
    expect(getEventListeners(calledOff.signal, 'abort')).toEqual([]);
    expect(await readAll(sourceOf({}, { fetch: server.fetch }), calledOff.signal)).toMatchObject({
      outcome: { kind: 'failed', fault: { kind: 'cancelled' } },
    });
  });

  it('whoever leaves in the middle ends the request', async () => {
    let gone: (() => void) | undefined;
    const closed = new Promise<void>((resolve) => {
      gone = resolve;
    });
    server.answer((_, response) => {
      response.on('close', () => gone?.());
      const urls = Array.from({ length: 600 }, (_unused, n) => `"https://seller.example.com/${n}"`);
      response.write(`{"items":[${urls.join(',')},`);
    });
    for await (const part of sourceOf({}, { fetch: server.fetch }).read()) {
      expect(part).toMatchObject({ kind: 'endpoints', endpoints: { length: 500 } });
      break;
    }
    await closed;
  });
});
