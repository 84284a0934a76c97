import { describe, expect, it } from 'vitest';
import { crawlWorkOf } from '../../../test/support/crawling/memory-crawl-work.ts';
import { listed } from '../../../tools/samples/listed.ts';
import { anywhere } from '../../../tools/samples/placed.ts';
import type { ListedEndpoint } from '../../core/crawl/listed-endpoint.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import type { OpenHost } from '../../ports/prober.ts';
import { probeHosts } from './probe-hosts.ts';

const ANSWER: ProbeOutcome = {
  kind: 'answered',
  status: 200,
  headers: [],
  body: new Uint8Array(),
  bodyComplete: true,
};
const HANGS: ProbeOutcome = { kind: 'timed_out' };

/** Checks URLs of one host, or so many; answers how many requests it got and how often each code was given. */
async function codesOf(
  urls: number | readonly ListedEndpoint[],
  outcomeOf: (request: number, target: TargetUrl) => ProbeOutcome | Promise<ProbeOutcome>,
  look: (silent: number) => void = () => {},
) {
  const codes = new Map<string, number>();
  let requests = 0;
  const openHost: OpenHost = () => ({
    locate: anywhere,
    probe: async ({ target }) => {
      requests += 1;
      return outcomeOf(requests, target);
    },
    close: () => {},
  });
  const { parts, state } = crawlWorkOf({ a: urls });
  await probeHosts('run', 'me', {
    ...parts,
    openHost,
    onReceipt: ({ code }) => {
      codes.set(code, (codes.get(code) ?? 0) + 1);
      look(codes.get('host_silent') ?? 0);
    },
  });
  expect(state.done).toHaveLength(typeof urls === 'number' ? urls : urls.length);
  return { requests, codes: Object.fromEntries(codes), silent: codes.get('host_silent') ?? 0 };
}

describe('a host that hangs (L22)', () => {
  it.each<[string, (request: number) => ProbeOutcome, number, Record<string, number>]>([
    ['is asked thirty times', () => HANGS, 30, { timeout: 30, host_silent: 270 }],
    [
      'is checked whole when it answers now and then',
      (request) => (request % 30 === 0 ? ANSWER : HANGS),
      300,
      { timeout: 290, no_paywall: 10 },
    ],
    [
      'is given up after its last answer, with those in flight',
      (request) => (request <= 101 ? ANSWER : HANGS),
      132,
      { no_paywall: 101, timeout: 31, host_silent: 168 },
    ],
    [
      'is checked whole when it refuses: that takes no time',
      () => ({ kind: 'unreachable', cause: 'connection_failed' }),
      300,
      { unreachable: 300 },
    ],
  ])('%s', async (_, outcomeOf, requests, codes) => {
    expect(await codesOf(300, outcomeOf)).toMatchObject({ requests, codes });
  });

  it('is asked again when a request in flight is answered after all', async () => {
    let answerLate = () => {};
    const late = new Promise<ProbeOutcome>((resolve) => {
      answerLate = () => resolve(ANSWER);
    });
    const outcomeOf = (request: number) => (request === 3 ? late : request <= 40 ? HANGS : ANSWER);
    const { requests, silent } = await codesOf(300, outcomeOf, (soFar) => {
      if (soFar === 50) answerLate();
    });
    expect(silent).toBeLessThan(100);
    expect(requests).toBe(300 - silent);
  });

  it.each<[string, string, number, object]>([
    ['http beside https', 'https://a.example', 80, { timeout: 30, host_silent: 70, no_paywall: 100 }],
    ['https beside http', 'http://a.example', 443, { timeout: 30, host_silent: 70, no_paywall: 100 }],
    [
      'a port that nobody serves',
      'https://a.example',
      9_443,
      { timeout: 30, host_silent: 70, no_paywall: 100 },
    ],
  ])('is still asked at its own port when others list %s', async (_, own, hanging, codes) => {
    const scheme = hanging === 80 ? 'http' : 'https';
    const others = Array.from({ length: 100 }, (_, n) => listed(`${scheme}://a.example:${hanging}/${n}`));
    const served = Array.from({ length: 100 }, (_, n) => listed(`${own}/${n}`));
    const outcomeOf = (_: number, { port }: TargetUrl) => (port === hanging ? HANGS : ANSWER);
    expect((await codesOf([...others, ...served], outcomeOf)).codes).toEqual(codes);
  });

  it('is not asked longer by listing many ports', async () => {
    const ports = Array.from({ length: 300 }, (_, n) => listed(`https://a.example:${10_100 + n}/`));
    expect((await codesOf(ports, () => HANGS)).requests).toBe(30);
  });

  it('is told apart from its neighbours', async () => {
    const { parts } = crawlWorkOf({ a: 100, b: 100 });
    const seen: string[] = [];
    const openHost: OpenHost = (host) => ({
      locate: anywhere,
      probe: async () => {
        seen.push(host);
        return host === 'a.example' ? HANGS : ANSWER;
      },
      close: () => {},
    });
    await probeHosts('run', 'me', { ...parts, openHost });
    expect(seen.filter((host) => host === 'b.example')).toHaveLength(100);
    expect(seen.filter((host) => host === 'a.example').length).toBeLessThanOrEqual(32);
  });
});
