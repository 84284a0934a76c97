import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GuardRefused } from '../../src/guard/index.ts';
import { guardOfPolicy, readPolicyFile } from '../../src/guard/policy-file.ts';
import { PAYEE, THIEF } from '../../tools/samples/challenge.ts';
import { inProcessSeller, LIMITS } from '../support/guarding/sellers/in-process-seller.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-policy-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

function policyWith(expect: object): string {
  const path = join(folder, 'policy.json');
  const ledger = join(folder, 'purchases.db');
  writeFileSync(path, JSON.stringify({ ledger, limits: LIMITS, expect }));
  return path;
}

/** How a guard with this policy ends a first request to a seller who asks for the money of `PAYEE`. */
async function endOf(expect: object, url: string, path = policyWith(expect)): Promise<string> {
  const { fetch } = inProcessSeller();
  const guard = guardOfPolicy(readPolicyFile(path), { fetch });
  try {
    return await guard.fetch(url).then(
      () => 'shown',
      (fault) => (fault instanceof GuardRefused ? fault.code : String(fault)),
    );
  } finally {
    await guard.close();
  }
}

describe('what a policy file expects at a URL', () => {
  it.each<[string, string, string]>([
    ['it is written as the standard writes it', 'https://api.example/paid', 'https://api.example/paid'],
    ['it has no path', 'https://api.example', 'https://api.example'],
    ['it has capitals', 'HTTPS://API.example/paid', 'https://api.example/paid'],
    ['it names the usual port', 'https://api.example:443/paid', 'https://api.example/paid'],
    ['it has a blank', 'https://api.example/a b', 'https://api.example/a%20b'],
    ['it has blanks around it', ' https://api.example/paid ', 'https://api.example/paid'],
    [
      'it has letters of another alphabet',
      'https://bücher.example/ü',
      'https://xn--bcher-kva.example/%C3%BC',
    ],
    ['it has dots in its path', 'https://api.example/v1/../paid', 'https://api.example/paid'],
    ['it has a fragment', 'https://api.example/paid#docs', 'https://api.example/paid'],
    ['the request has a fragment', 'https://api.example/paid?a=1', 'https://api.example/paid?a=1#docs'],
    ['the request has a query', 'https://api.example/paid', 'https://api.example/paid?a=1'],
    ['its query is empty', 'https://api.example/paid?', 'https://api.example/paid'],
  ])('counts when %s', async (_, key, url) => {
    expect(await endOf({ [key]: { payTo: THIEF } }, url)).toBe('pay_to_mismatch');
    expect(await endOf({ [key]: { payTo: PAYEE } }, url)).toBe('shown');
  });

  it('counts for its own query only', async () => {
    const expected = { 'https://api.example/paid?a=1': { payTo: THIEF } };
    expect(await endOf(expected, 'https://api.example/paid?a=2')).toBe('shown');
  });

  it('is that of the URL with the query before that without', async () => {
    const expected = {
      'https://api.example/paid': { payTo: THIEF },
      'https://api.example/paid?a=1': { payTo: PAYEE },
    };
    expect(await endOf(expected, 'https://api.example/paid?a=1')).toBe('shown');
    expect(await endOf(expected, 'https://api.example/paid?a=2')).toBe('pay_to_mismatch');
  });

  it.each<[string, readonly string[], string]>([
    ['a host alone', ['api.example'], 'expect.api.example: is not an http or https URL'],
    ['a path alone', ['/paid'], 'expect./paid: is not an http or https URL'],
    ['another scheme', ['ftp://api.example/'], 'expect.ftp://api.example/: is not an http or https URL'],
    ['no host', ['https://'], 'expect.https://: is not an http or https URL'],
    [
      'the same URL twice',
      ['https://api.example', 'https://API.example:443/#top'],
      'expect.https://API.example:443/#top: is another spelling of https://api.example/',
    ],
  ])('must be one: %s', (_, keys, message) => {
    const path = policyWith(Object.fromEntries(keys.map((key) => [key, { price: '0.01' }])));
    expect(() => readPolicyFile(path)).toThrow(`the policy file ${path} is not valid: ${message}`);
  });

  it.each<[string, object]>([
    ['price: is not an amount of US dollars', { price: 'a cent' }],
    ['payTo: is not an EVM address', { payTo: '0xabc' }],
    ['network: is not a network', { network: 'base sepolia' }],
  ])('must have members that can be compared: %s', (message, listed) => {
    const path = policyWith({ 'https://api.example/': listed });
    expect(() => readPolicyFile(path)).toThrow(
      `the policy file ${path} is not valid: expect.https://api.example/.${message}`,
    );
  });
});

describe('a path in a policy file', () => {
  const written = (ledger: string, snapshot?: object) => {
    const path = join(folder, 'policy.json');
    writeFileSync(path, JSON.stringify({ ledger, limits: LIMITS, snapshot }));
    return path;
  };

  it.each<[string, string, () => string]>([
    ['a name alone', 'purchases.db', () => join(folder, 'purchases.db')],
    ['a path from there', '../data/./purchases.db', () => join(folder, '..', 'data', 'purchases.db')],
    ['a whole path', '/var/lib/purchases.db', () => '/var/lib/purchases.db'],
    ['a path from the home folder', '~/purchases.db', () => join(homedir(), 'purchases.db')],
  ])('is one and the same wherever a program starts: %s', (_, given, path) => {
    const [from, memory] = [given.replace('purchases.db', 'file'), given.replace('purchases.db', 'log')];
    expect(readPolicyFile(written(given, { from, key: 'k', memory }))).toMatchObject({
      ledger: path(),
      snapshot: {
        from: path().replace('purchases.db', 'file'),
        memory: path().replace('purchases.db', 'log'),
        key: 'k',
      },
    });
  });

  it('counts from the folder of the file itself where the policy is a link', () => {
    mkdirSync(join(folder, 'release'));
    const linked = join(folder, 'release', 'policy.json');
    symlinkSync(written('purchases.db'), linked);
    expect(readPolicyFile(linked).ledger).toBe(join(folder, 'purchases.db'));
  });

  it('counts from there also where the policy is named from the working directory', () => {
    const named = relative(process.cwd(), written('purchases.db'));
    expect(readPolicyFile(named).ledger).toBe(join(folder, 'purchases.db'));
  });

  it('is not the URL of a service', () => {
    const snapshot = { from: 'HTTPS://assay.example', key: 'k' };
    expect(readPolicyFile(written('purchases.db', snapshot)).snapshot).toEqual(snapshot);
  });

  it.each<[string, string, object | undefined, RegExp]>([
    ['no ledger', '', undefined, /policy\.json is not valid: ledger: /],
    ['a ledger in memory', ':memory:', undefined, /^a ledger needs the path of a file/],
    ['no file', 'p.db', { from: '', key: 'k' }, /policy\.json is not valid: snapshot\.from: /],
    ['no memory', 'p.db', { from: 'f', key: 'k', memory: '' }, /is not valid: snapshot\.memory: /],
  ])('is refused for %s', (_, ledger, snapshot, message) => {
    expect(() => readPolicyFile(written(ledger, snapshot))).toThrow(message);
  });

  it('names one ledger for the guard and for the kill switch', async () => {
    const path = written('purchases.db');
    writeFileSync(join(folder, 'purchases.db.frozen'), '');
    expect(await endOf({}, 'https://api.example/paid', path)).toBe('frozen');
  });
});
