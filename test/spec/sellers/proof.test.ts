import { describe, expect, it } from 'vitest';
import { expectProblem, useService } from '../../support/asking.ts';
import { httpAnswer, type Script } from '../../support/probing/fake-seller.ts';
import { scriptedSeller } from '../../support/probing/scripted-seller.ts';
import { DOORS, NOON } from '../../support/running/running-service.ts';
import { anOwner, posting, publishing } from '../../support/signing-seller.ts';

const SELLERS = '/v1/sellers';
const FILE = 'GET /.well-known/assay-verify.txt ';
const owner = anOwner();

/** A file that never ends. */
const endless: Script = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n');
  const flow = () => {
    while (!socket.destroyed && socket.write(`# ${'x'.repeat(1_000)}\n`));
  };
  socket.on('drain', flow);
  flow();
};

/** Files by the first label of the host. */
const FILES: Readonly<Record<string, Script>> = {
  endless,
  moved: (socket) =>
    socket.end(httpAnswer(302, [['Location', 'http://owned.example/.well-known/assay-verify.txt']])),
  large: (socket) => socket.end(httpAnswer(200, [], `${'#\n'.repeat(2_100)}${owner.token}`)),
  broken: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nassay'),
  error: (socket) => socket.end(httpAnswer(500, [], owner.token)),
  gzip: (socket) => socket.end(httpAnswer(200, [['Content-Encoding', 'gzip']], owner.token)),
  other: (socket) => socket.end(httpAnswer(200, [], anOwner().token)),
};

const usual = publishing([owner.token], scriptedSeller);
const seller: Script = (socket, request) => {
  const host = /\r\nhost: ([a-z]+)/i.exec(request)?.[1] ?? '';
  const script = request.startsWith(FILE) ? FILES[host] : undefined;
  (script ?? usual)(socket, request);
};

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  '_assay.named.example': ['v=spf1 -all', owner.token],
  '_assay.flooded.example': [...Array.from({ length: 5_000 }, () => 'x'.repeat(255)), owner.token],
};

describe.each(DOORS)('proof of control through the %s (gap L110)', (door) => {
  const looked: string[] = [];
  const service = useService({
    door,
    seller,
    resolveText: async (name) => {
      looked.push(name);
      if (name === '_assay.broken.example') throw new Error('ESERVFAIL');
      return TEXTS[name] ?? [];
    },
  });
  const retest = (url: string, changes: object = {}, more: object = {}) =>
    service.ask(SELLERS, owner.request({ action: 'retest', url, ...more }, changes));
  const files = () => service.sellerRequests.filter((request) => request.startsWith(FILE)).length;

  it.each([
    ['a line of the file', 'http://owned-one.example/honest'],
    ['a TXT record', 'http://named.example/honest'],
  ])('%s proves it', async (_, url) => {
    const { status, json } = await retest(url);
    expect([status, json.verdict]).toEqual([200, 'pay']);
  });

  it.each([
    ['nothing is published', 'http://stranger.example/honest'],
    ['the file names another key', 'http://other.example/honest'],
    ['the file is at the end of a redirect', 'http://moved.example/honest'],
    ['the file never ends', 'http://endless.example/honest'],
    ['the file has more than 4 kB', 'http://large.example/honest'],
    ['the file breaks off', 'http://broken.example/honest'],
    ['the file is an error', 'http://error.example/honest'],
    ['the file says that it is packed and is not', 'http://gzip.example/honest'],
    ['the record is behind a flood of others', 'http://flooded.example/honest'],
    ['the host is an address, which has no TXT records', 'http://93.184.216.34/honest'],
  ])('403 when %s', async (_, url) => {
    const before = service.sellerRequests.length;
    const answer = await retest(url);
    expectProblem(answer, 403, 'not_proven', 'key');
    expect(answer.json.detail).toContain(owner.token);
    // The file, and nothing else.
    expect(service.sellerRequests.length).toBe(before + 1);
  });

  it('asks for one file and one name, and remembers a proof for ten minutes', async () => {
    const [before, names] = [files(), looked.length];
    await retest('http://owned-two.example/honest');
    service.at('2026-11-15T12:04:59.000Z');
    await retest('http://owned-two.example/dear');
    expect([files(), looked.length]).toEqual([before + 1, names]);
    service.at('2026-11-15T12:10:01.000Z');
    await retest('http://owned-two.example/honest', {}, { at: '2026-11-15T12:10:00Z' });
    expect(files()).toBe(before + 2);
    // The clock was an hour ahead.
    service.at('2026-11-15T11:10:00.000Z');
    await retest('http://owned-two.example/honest', {}, { at: '2026-11-15T11:10:00Z' });
    expect(files()).toBe(before + 3);
  });

  it('remembers no failure, and a proof only for its own origin', async () => {
    const before = files();
    await retest('http://stranger.example/honest');
    await retest('http://stranger.example/honest');
    await retest('http://owned-three.example/honest');
    await retest('http://owned-three.example:8080/honest');
    expect(files()).toBe(before + 4);
  });

  it('400 for what the key has not signed', async () => {
    const { document } = owner;
    const about = (url: string) => document({ action: 'retest', url, at: NOON.toISOString() });
    const [mine, another] = [about('http://owned.example/honest'), about('http://owned.example/dear')];
    const forgeries = [
      { ...mine, statement: another.statement },
      { ...mine, signature: another.signature },
      { ...mine, key: anOwner().key },
      { ...mine, statement: `${mine.statement} ` },
      // The neutral element, with which some libraries accept any signature.
      { ...mine, key: `AQ${'A'.repeat(41)}` },
    ];
    const before = service.sellerRequests.length;
    for (const forged of forgeries) {
      expectProblem(await service.ask(SELLERS, posting(forged)), 400, 'bad_request', 'signature');
    }
    expect(service.sellerRequests.length).toBe(before);
  });

  it.each([
    ['five minutes and a second old', '2026-11-15T11:54:59Z'],
    ['from the future', '2026-11-15T12:05:01Z'],
    ['of another year', '1970-01-01T00:00:00Z'],
  ])('400 for a statement that is %s', async (_, at) => {
    expectProblem(
      await retest('http://owned.example/honest', {}, { at }),
      400,
      'bad_request',
      'statement.at',
    );
  });

  it('409 for a statement that was acted on before, from anybody and whenever it comes', async () => {
    const sent = owner.request({ action: 'retest', url: 'http://owned-once.example/honest' });
    expect((await service.ask(SELLERS, sent)).status).toBe(200);
    const before = service.sellerRequests.length;
    for (const at of ['2026-11-15T12:00:01.000Z', '2026-11-15T12:04:00.000Z']) {
      service.at(at);
      expectProblem(await service.ask(SELLERS, sent), 409, 'statement_used', 'statement');
    }
    expect(service.sellerRequests.length).toBe(before);
  });

  it.each([
    ['a private address', 'http://10.0.0.1/honest'],
    ['our own host', 'https://assay.example.org/v1/skips'],
    ['an internal name', 'http://seller.internal/'],
  ])('400 for %s, and nothing is sent', async (_, url) => {
    const before = service.sellerRequests.length;
    expectProblem(await retest(url), 400, 'ssrf_blocked', 'statement.url');
    expect(service.sellerRequests.length).toBe(before);
  });

  it('ignores an unknown member, also one that is sent twice', async () => {
    const signed = owner.document({ action: 'retest', url: 'http://owned-note.example/honest', at: NOON });
    const body = `{"note":{"a":1,"a":2},"note":2,${JSON.stringify(signed).slice(1)}`;
    expect((await service.ask(SELLERS, posting(body))).status).toBe(200);
  });

  it.each<[string, unknown, number, string | undefined]>([
    ['no body', '', 400, 'body'],
    ['two statements', '{"statement":"{}","statement":"{}"}', 400, 'statement'],
    ['a list', [], 400, 'body'],
    ['no statement', {}, 400, 'statement'],
    ['a statement that is an object', { statement: {} }, 400, 'statement'],
    ['no key', { statement: '{}' }, 400, 'key'],
    ['a key of 31 bytes', { statement: '{}', key: 'A'.repeat(42) }, 400, 'key'],
    ['a key with padding', { statement: '{}', key: `${'A'.repeat(43)}=` }, 400, 'key'],
    ['no signature', { statement: '{}', key: owner.key }, 400, 'signature'],
    [
      'a signature of 63 bytes',
      { statement: '{}', key: owner.key, signature: 'A'.repeat(84) },
      400,
      'signature',
    ],
    [
      'a statement that is no JSON',
      owner.document([] as object) && { ...owner.document({}), statement: '{' },
      400,
      'statement',
    ],
    ['a statement that is a list', { ...owner.document({}), statement: '[]' }, 400, 'statement'],
    ['no action', owner.document({}), 400, 'statement.action'],
    ['an unknown action', owner.document({ action: 'remove' }), 400, 'statement.action'],
    ['no url', owner.document({ action: 'retest' }), 400, 'statement.url'],
    ['a url that is none', owner.document({ action: 'retest', url: 'mailto:a@b' }), 400, 'statement.url'],
    [
      'another method',
      owner.document({ action: 'retest', url: 'http://a.example', method: 'PUT' }),
      400,
      'statement.method',
    ],
    ['no time', owner.document({ action: 'retest', url: 'http://a.example' }), 400, 'statement.at'],
    [
      'a time of another zone',
      owner.document({ action: 'retest', url: 'http://a.example', at: '2026-11-15T12:00:00+01:00' }),
      400,
      'statement.at',
    ],
    [
      'a password in the url',
      owner.document({ action: 'retest', url: 'http://me:hunter2@a.example' }),
      400,
      'statement.url',
    ],
    ['9 kB', { statement: 'x'.repeat(9_000) }, 413, undefined],
  ])('refuses %s', async (_, body, status, field) => {
    const answer = await service.ask(SELLERS, posting(body));
    expectProblem(answer, status, status === 413 ? 'body_too_large' : 'bad_request', field);
    expect(answer.text).not.toContain('hunter2');
  });

  it('429 after 60 signed requests of one address in an hour; forged ones do not count', async () => {
    const from = '198.51.100.77';
    const url = 'http://nobody-there.example/honest';
    const sign = () => owner.request({ action: 'retest', url });
    for (let n = 0; n < 5; n += 1) {
      const forged = owner.request({ action: 'retest', url }, { key: anOwner().key });
      await service.ask(SELLERS, { ...forged, from });
    }
    const statuses: number[] = [];
    for (let n = 0; n < 61; n += 1) {
      // Another minute of the target, once in a while.
      service.at(new Date(NOON.getTime() + Math.floor(n / 8) * 30_000).toISOString());
      statuses.push((await service.ask(SELLERS, { ...sign(), from })).status);
    }
    expect(statuses.slice(0, 60).filter((status) => status === 400)).toEqual([]);
    const last = await service.ask(SELLERS, { ...sign(), from });
    expectProblem(last, 429, 'seller_limit');
    expect(Number(last.header('retry-after'))).toBeGreaterThan(0);
  });

  it('other methods are refused', async () => {
    expectProblem(await service.ask(SELLERS), 405, 'method_not_allowed');
  });
});
