import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { answering } from '../../../test/support/probing/probing.ts';
import {
  CLIENT,
  freshNonce,
  NOON,
  postNote,
  type RunningVantage,
  requestNote,
  startVantage,
  type VantageOptions,
} from '../../../test/support/vantage/running-vantage.ts';
import { signNote } from '../../core/log/note.ts';
import { openRequest, viewOf } from '../../core/vantage/messages.ts';
import type { VantageRequest } from '../../core/vantage/request-text.ts';
import { requestHash } from '../../core/vantage/request-text.ts';

const started: RunningVantage[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((vantage) => vantage.close()));
});

async function start(options: VantageOptions = {}) {
  const vantage = await startVantage(options);
  started.push(vantage);
  const post = (body: string | Uint8Array<ArrayBuffer>) => postNote(vantage.address, body);
  const ask = (changes: Partial<VantageRequest> = {}) => post(requestNote(changes));
  /** The view in the answer to this note. */
  const view = async (note: string) => {
    const opened = openRequest(note, [CLIENT.key]);
    const hash = typeof opened === 'string' ? '' : opened.hash;
    return viewOf((await post(note)).text, vantage.signer.key, hash);
  };
  return { ...vantage, post, ask, view };
}

const later = (ms: number) => new Date(NOON.getTime() + ms);

describe('a vantage', () => {
  it('sends one unpaid request and signs what it saw', async () => {
    const { view, requests } = await start();
    const seen = await view(requestNote());
    expect(seen).toMatchObject({
      at: NOON,
      seen: { kind: 'answered', status: 402, input: null, challenge: { kind: 'readable' } },
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatch(/^GET \/data HTTP\/1\.1\r\n/);
  });

  it('sends the input that it is given, and says so', async () => {
    const { view, requests } = await start();
    const seen = await view(requestNote({ method: 'POST', body: '{"q":1}' }));
    expect(requests[0]?.endsWith('\r\n\r\n{"q":1}')).toBe(true);
    const sha256 = requestHash('{"q":1}');
    expect(seen).toMatchObject({ seen: { status: 402, input: { source: 'caller', sha256 } } });
  });

  it('signs whatever the target does, also when it is nothing', async () => {
    const { view } = await start({ seller: answering(500) });
    expect(await view(requestNote())).toMatchObject({ seen: { kind: 'answered', status: 500 } });
    const silent = await start({ seller: () => {}, prober: { timeoutMs: 50 } });
    expect(await silent.view(requestNote())).toMatchObject({ seen: { kind: 'timed_out' } });
    const lost = await start({ prober: { resolve: async () => ({ kind: 'not_found' }) } });
    expect(await lost.view(requestNote())).toMatchObject({
      seen: { kind: 'unreachable', cause: 'name_not_found' },
    });
  });

  it.each([
    'http://127.0.0.1/',
    'http://[::1]:8080/',
    'http://10.0.0.1/x',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost:4402/',
    'http://service.internal/',
    'http://shop.example.net:22/',
    'http://assay.example.org/',
  ])('says that %s is blocked, and sends nothing', async (url) => {
    const { view, requests, dialled, resolved } = await start();
    expect(await view(requestNote({ url }))).toMatchObject({ seen: { kind: 'blocked' } });
    expect([requests, dialled, resolved]).toEqual([[], [], []]);
  });

  it('dials no private address that a public name has', async () => {
    const resolve = async () => ({ kind: 'addresses', addresses: ['93.184.216.34', '10.0.0.1'] }) as const;
    const { view, dialled } = await start({ prober: { resolve } });
    expect(await view(requestNote())).toMatchObject({ seen: { kind: 'blocked' } });
    expect(dialled).toEqual([]);
  });

  it('says that it is healthy, and who it is', async () => {
    const { address } = await start();
    const get = async (path: string, method = 'GET') => {
      const response = await fetch(address + path, { method });
      return [response.status, await response.text()];
    };
    expect(await get('/healthz')).toEqual([200, 'ok\n']);
    expect(await get('/prober')).toEqual([200, 'about this vantage\n']);
    expect(await get('/healthz', 'POST')).toEqual([405, 'GET only\n']);
    expect(await get('/observe')).toEqual([405, 'POST only\n']);
    expect(await get('/')).toEqual([404, 'not found\n']);
  });
});

describe('a refusal sends nothing to any target', () => {
  const stranger = seededSigner('assay.example/vantages', 1, 'of a stranger');
  it.each<[string, () => string | Uint8Array<ArrayBuffer>, number]>([
    ['nothing', () => '', 400],
    ['no note', () => 'hello', 400],
    ['bytes that are no text', () => new Uint8Array([0xff, 0xfe]), 400],
    ['a body that is too long', () => 'x'.repeat(65_537), 413],
    ['a note of something else', () => signNote('assay promise v1\nx\n', [CLIENT]), 400],
    ['a stranger', () => requestNote({}, seededSigner('other.example/vantages')), 403],
    ['the name of a client with another key', () => requestNote({}, stranger), 403],
    ['a changed URL', () => requestNote().replace('shop.example', 'shup.example'), 403],
    ['a request to another vantage', () => requestNote({ to: 'vantage.example/v2' }), 403],
    ['a request of 31 s ago', () => requestNote({ at: later(-30_001) }), 400],
    ['a request from the future', () => requestNote({ at: later(30_001) }), 400],
    ['a URL that is none', () => requestNote({ url: 'shop' }), 400],
    ['another scheme', () => requestNote({ url: 'ftp://shop.example.net/' }), 400],
    ['a password', () => requestNote({ url: 'http://a:b@shop.example.net/' }), 400],
    ['a control character', () => requestNote({ url: 'http://shop.example.net/\r\nx' }), 400],
  ])('of %s', async (_, body, status) => {
    const { post, requests, dialled, resolved } = await start();
    const answer = await post(body());
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(/^[^\n]{1,80}\n$/);
    expect([requests, dialled, resolved]).toEqual([[], [], []]);
  });

  it('of a replay, whenever it comes', async () => {
    const { post, requests } = await start();
    const note = requestNote();
    const statuses = (await Promise.all([post(note), post(note), post(note)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409, 409]);
    expect((await post(note)).status).toBe(409);
    expect(requests).toHaveLength(1);
  });

  it('of a nonce that is used again, but not of one that another client used', async () => {
    const other = seededSigner('other.example/vantages');
    const { post, requests } = await start({ clients: [CLIENT.key, other.key] });
    const nonce = freshNonce();
    expect((await post(requestNote({ nonce }))).status).toBe(200);
    expect((await post(requestNote({ nonce, url: 'http://b.example.net/' }))).status).toBe(409);
    expect((await post(requestNote({ nonce }, other))).status).toBe(200);
    expect(requests).toHaveLength(2);
  });

  it('of requests at the edge of the clock none', async () => {
    const { ask } = await start();
    expect((await ask({ at: later(30_000) })).status).toBe(200);
    expect((await ask({ at: later(-30_000) })).status).toBe(200);
  });

  it('of a stranger who only knows that it is there says nothing about clients', async () => {
    const { post } = await start();
    const unknown = await post(requestNote({}, seededSigner('other.example/vantages')));
    const forged = await post(requestNote({}, stranger));
    expect(unknown).toEqual(forged);
  });
});

describe('the server of a vantage', () => {
  it('says how long to wait when a limit is reached', async () => {
    const waiting: (() => void)[] = [];
    const { ask, requests } = await start({
      seller: (socket, request) => waiting.push(() => answering(402)(socket, request)),
    });
    const answers = Promise.all([1, 2, 3].map(() => ask()));
    await expect.poll(() => waiting.length).toBe(3);
    expect(await ask()).toEqual({ status: 429, retryAfter: '1', text: 'busy\n' });
    for (const go of waiting) go();
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(requests).toHaveLength(3);
  });

  it('does not take connections that break off for a fault', async () => {
    const { address, faults, ask } = await start();
    const { port } = new URL(address);
    for (let n = 0; n < 20; n += 1) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write('POST /observe HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nassay', () =>
        socket.destroy(),
      );
    }
    expect((await ask()).status).toBe(200);
    expect(faults).toEqual([]);
  });
});
