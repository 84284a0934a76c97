import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOON, problem, run } from '../../../test/support/running/command-line.ts';

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-seller-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A service that answers once, and what it was sent. */
function service(answer: Response) {
  const sent: { url: string; init: RequestInit | undefined }[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    sent.push({ url: String(url), init });
    return answer.clone();
  };
  return { sent, fetch };
}

describe('assay seller key', () => {
  it('creates a file for its owner alone and prints the line to publish', async () => {
    const { code, out, notes } = await run(['seller key', at('new.pem')]);
    expect([code, statSync(at('new.pem')).mode & 0o777]).toEqual([0, 0o600]);
    expect(out).toMatch(/^assay-verify=ed25519:[A-Za-z0-9_-]{43}\n$/);
    expect(notes).toContain('/.well-known/assay-verify.txt');
    expect(readFileSync(at('new.pem'), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  });

  it('keeps an existing key', async () => {
    const first = await run(['seller key', at('kept.pem')]);
    const second = await run(['seller key', at('kept.pem'), '--json']);
    expect(JSON.parse(second.out)).toMatchObject({ created: false, token: first.out.trim() });
  });

  it.each<[string, () => string]>([
    ['no key at all', () => 'hello'],
    ['a key of another kind', () => rsaKey()],
  ])('refuses %s', async (_, content) => {
    writeFileSync(at('other.pem'), content());
    expect((await run(['seller key', at('other.pem')])).code).toBe(2);
    expect((await run(['seller retest', 'https://a.example', '--key', at('other.pem')])).code).toBe(2);
  });

  it('refuses a key that is not there', async () => {
    const { code, notes } = await run(['seller retest', 'https://a.example', '--key', at('nowhere.pem')]);
    expect([code, notes]).toEqual([2, expect.stringContaining('is not an Ed25519 key that can be read')]);
  });
});

function rsaKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

describe('a signed request', () => {
  beforeAll(() => run(['seller key', at('key.pem')]));
  const KEY = () => ['--key', at('key.pem')];

  it('signs what it sends', async () => {
    const answer = {
      verdict: 'pay',
      reason: 'As listed.',
      receipt_url: 'http://assay.test/r',
      skips_row: null,
    };
    const { sent, fetch } = service(Response.json(answer));
    const url = 'https://api.example.com/data';
    const { code, out } = await run(['seller retest', url, '--method', 'POST', ...KEY()], { fetch });
    expect([code, out]).toEqual([0, 'PAY  As listed.\nhttp://assay.test/r\n']);
    const { statement, key, signature } = JSON.parse(String(sent[0]?.init?.body));
    expect([sent[0]?.url, sent[0]?.init?.method]).toEqual(['http://assay.test/v1/sellers', 'POST']);
    expect(JSON.parse(statement)).toEqual({ action: 'retest', url, at: NOON.toISOString(), method: 'POST' });
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });
    const signed = Buffer.from(`assay-seller-v1\n${statement}`);
    expect(verify(null, signed, publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  it.each<[string, object, number]>([
    ['skip', { verdict: 'skip' }, 1],
    ['recheck', { verdict: 'recheck' }, 3],
  ])('exits with the verdict %s', async (_, answer, exit) => {
    const { fetch } = service(Response.json(answer));
    expect((await run(['seller retest', 'https://a.example', ...KEY()], { fetch })).code).toBe(exit);
  });

  it('replies and withdraws', async () => {
    const replied = service(Response.json({ note: 'Our\u001b[31m words' }));
    const reply = ['seller reply', 'https://a.example', '--note', 'Our words', ...KEY()] as const;
    expect(await run(reply, replied)).toMatchObject({ code: 0, out: expect.not.stringContaining('\u001b') });
    expect(JSON.parse(JSON.parse(String(replied.sent[0]?.init?.body)).statement)).toMatchObject({
      action: 'reply',
      note: 'Our words',
    });
    const gone = service(Response.json({ withdrawn: true }));
    const withdraw = ['seller withdraw-reply', 'https://a.example', ...KEY()] as const;
    expect((await run(withdraw, gone)).out).toBe('withdrawn\n');
  });

  it('watches and ends it', async () => {
    const watched = service(Response.json({ until: '2027-02-13', signing_key: 'abc', feed: 'http://f' }));
    const watch = ['seller watch', 'https://a.example', '--webhook', 'https://h.example', ...KEY()] as const;
    expect((await run(watch, watched)).out).toContain('signing key  abc\n');
    expect(JSON.parse(JSON.parse(String(watched.sent[0]?.init?.body)).statement)).toMatchObject({
      action: 'watch',
      webhook: 'https://h.example',
    });
    const ended = service(Response.json({ ended: 2 }));
    expect((await run(['seller unwatch', 'https://a.example', ...KEY()], ended)).out).toBe('ended: 2\n');
    expect((await run(['seller watch', 'https://a.example', ...KEY()])).code).toBe(2);
  });

  it.each<[string, number, number]>([
    ['not proven', 403, 2],
    ['an old statement', 409, 2],
    ['too soon', 429, 5],
  ])('says why not: %s', async (_, status, exit) => {
    const { fetch } = service(problem(status, 'The host does not publish this key.'));
    const { code, notes } = await run(['seller retest', 'https://a.example', ...KEY()], { fetch });
    expect([code, notes]).toEqual([exit, expect.stringContaining('The host does not publish this key.')]);
  });

  it.each<[string, readonly string[]]>([
    ['no key', ['https://a.example']],
    ['no note', ['https://a.example', '--key', 'x.pem']],
  ])('needs its arguments: %s', async (_, argv) => {
    expect((await run(['seller reply', ...argv])).code).toBe(2);
  });
});
