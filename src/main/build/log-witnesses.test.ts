import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { noteKeyText } from '../../core/log/note.ts';
import { readWitnesses } from './log-witnesses.ts';

const LOG = noteKeyText(seededSigner('log.example/log').key);
const KEY = noteKeyText(seededSigner('witness.example/w1', 4).key);
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'policy-'));
  file = join(folder, 'policy');
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (text: string) => {
  writeFileSync(file, text);
  return readWitnesses(file);
};

describe('the file of LOG_POLICY', () => {
  it.each(['https://w.example/prefix', 'http://127.0.0.1:4404', 'http://[::1]:1/', 'http://localhost:4404'])(
    'names witnesses with addresses such as %s, and is shown without comments',
    (url) => {
      const { policy, text } = read(`# mine\n  witness w1 ${KEY}\t${url}\n\nquorum w1\n`);
      expect(policy.witnesses).toMatchObject([{ name: 'w1', url }]);
      expect(text).toBe(`witness w1 ${KEY}\t${url}\nquorum w1`);
    },
  );

  it.each([
    ['a line that cannot be read', `witness w1\nquorum w1\n`, 'line 1: '],
    ['no quorum', `witness w1 ${KEY} https://w.example\n`, 'There is no quorum line.'],
    ['a log', `log ${LOG}\nwitness w1 ${KEY} https://w.example\nquorum w1\n`, 'must not name logs'],
    ['nobody', 'quorum none\n', 'names no witness'],
    ['a witness without an address', `witness w1 ${KEY}\nquorum w1\n`, 'witness w1 needs an https address'],
    [
      'http elsewhere',
      `witness w1 ${KEY} http://w.example\nquorum w1\n`,
      'witness w1 needs an https address',
    ],
    ['http at a name that looks local', `witness w1 ${KEY} http://127.0.0.1.w.example\nquorum w1\n`, 'https'],
    ['a user in the address', `witness w1 ${KEY} https://me@w.example\nquorum w1\n`, 'https address'],
    ['another scheme', `witness w1 ${KEY} ftp://w.example\nquorum w1\n`, 'https address'],
  ])('is refused with %s, in one line', (_, text, problem) => {
    expect(() => read(text)).toThrow(problem);
    expect(() => read(text)).toThrow(/^invalid setting: LOG_POLICY .*$/);
  });

  it('is refused when it is not there', () => {
    expect(() => readWitnesses(join(folder, 'none'))).toThrow('it cannot be read');
  });
});
