import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLog } from '../../../src/core/log/audit.ts';
import { entryText } from '../../../src/core/log/entry.ts';
import { noteKeyText, signNote } from '../../../src/core/log/note.ts';
import { parsePolicy } from '../../../src/core/log/policy.ts';
import { promiseText } from '../../../src/core/log/promise.ts';
import { buildGoAuditor, type GoAuditor, missingForGoAuditor } from '../../support/log/go-auditor.ts';
import { entryOf } from '../../support/log/memory-tree.ts';
import { seededSigner } from '../../support/log/seeded-signer.ts';
import { serveFiles } from '../../support/log/serve-files.ts';
import {
  LOG_ORIGIN,
  LOG_SIGNER,
  type StaticLogOptions,
  staticLog,
  WITNESS_SIGNERS,
  withFlippedBit,
} from '../../support/log/static-log.ts';

const SIZES = [1, 2, 256, 257, 1_000];
const FLIPS_BY_GO = 3;
const FLIPS_BY_US = 40;

const logKey = noteKeyText(LOG_SIGNER.key);
const cosigners = WITNESS_SIGNERS.slice(0, 2);
const witnesses = cosigners.map(({ key }) => noteKeyText(key));
const QUORUM = ['-witness', witnesses[0] ?? '', '-witness', witnesses[1] ?? '', '-quorum', '2'];

type Files = ReadonlyMap<string, Uint8Array>;

/** Our own verifier with the same keys and the same quorum. */
async function isSoundToUs(files: Files): Promise<boolean> {
  const policy = parsePolicy(
    `log ${logKey}\nwitness a ${witnesses[0]}\nwitness b ${witnesses[1]}\ngroup both all a b\nquorum both\n`,
  );
  if ('fault' in policy) throw new Error(policy.fault);
  const fetchFile = (path: string) => Promise.resolve(files.get(path) ?? null);
  const { faults } = await auditLog({ fetchFile, policy, filesAtOnce: 4, sizeMax: 100_000 });
  return faults.length === 0;
}

const missing = missingForGoAuditor();
if (missing !== null) console.warn(`The auditor in Go is skipped: it needs ${missing}.`);

describe.skipIf(missing !== null)('the auditor in Go', () => {
  let auditor: GoAuditor;
  let server: Awaited<ReturnType<typeof serveFiles>>;
  let folder: string;

  beforeAll(async () => {
    auditor = await buildGoAuditor();
    server = await serveFiles();
    folder = await mkdtemp(join(tmpdir(), 'assay-audit-'));
  });
  afterAll(async () => {
    await auditor?.remove();
    await server?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const audit = (files: Files, ...more: readonly string[]) =>
    auditor.audit(['-url', server.publish(files), '-vkey', logKey, ...more]);
  const saved = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const cosigned = (options: StaticLogOptions) => staticLog({ cosigners, ...options });

  it.each(SIZES)('accepts %i entries after it has read every file', async (size) => {
    const { files } = await cosigned({ size });
    server.requested.clear();
    const { code, line } = await audit(files, ...QUORUM);
    expect([code, line]).toEqual([0, expect.stringContaining(`WELL size=${size} cosigned=2`)]);
    expect([...server.requested].sort()).toEqual([...files.keys()].sort());
    expect(await isSoundToUs(files)).toBe(true);
  });

  it.each(SIZES)('refuses a flipped bit in every file of %i entries, and so do we', async (size) => {
    const { files } = await cosigned({ size });
    for (const [path, bytes] of files) {
      for (let seed = 1; seed <= FLIPS_BY_US; seed += 1) {
        const spoilt = new Map(files).set(path, withFlippedBit(bytes, seed + size));
        expect([path, seed, await isSoundToUs(spoilt)]).toEqual([path, seed, false]);
        if (seed > FLIPS_BY_GO) continue;
        const { code, line } = await audit(spoilt, ...QUORUM);
        expect([path, seed, code, line]).toEqual([path, seed, 1, expect.stringContaining('REFUSED')]);
      }
    }
  });

  it('refuses a withheld file of any kind', async () => {
    const { files } = await cosigned({ size: 257 });
    for (const path of files.keys()) {
      const without = new Map([...files].filter(([kept]) => kept !== path));
      expect(await audit(without)).toMatchObject({ code: 1, line: expect.stringContaining(path) });
    }
  });

  it('accepts every older checkpoint of a log that grew', async () => {
    const { files } = await cosigned({ size: 1_000 });
    for (const size of [0, ...SIZES]) {
      const { checkpoint } = await staticLog({ size });
      const old = await saved('old', checkpoint);
      expect([size, await audit(files, '-old', old)]).toMatchObject([size, { code: 0 }]);
    }
  });

  it('refuses a rewritten past, a second view and a log that went back', async () => {
    const { files } = await cosigned({ size: 257 });
    const entry = (index: number) => (index === 1 ? Buffer.from('other') : entryOf(index));
    for (const size of [2, 256, 257]) {
      const old = await saved('old', (await staticLog({ size, entry })).checkpoint);
      expect(await audit(files, '-old', old)).toMatchObject({
        code: 1,
        line: expect.stringContaining('root'),
      });
    }
    const larger = await saved('old', (await staticLog({ size: 258 })).checkpoint);
    expect(await audit(files, '-old', larger)).toMatchObject({
      code: 1,
      line: expect.stringContaining('back'),
    });
  });

  it('refuses a stranger, another origin and a missing quorum', async () => {
    const { files } = await staticLog({ size: 5, cosigners: cosigners.slice(1) });
    const stranger = noteKeyText(seededSigner(LOG_ORIGIN, 1, 'another seed').key);
    expect(await audit(files)).toMatchObject({ code: 0 });
    expect(await audit(files, '-vkey', stranger)).toMatchObject({ code: 1 });
    expect(await audit(files, '-origin', 'log.example')).toMatchObject({ code: 1 });
    expect(await audit(files, ...QUORUM)).toMatchObject({ code: 1, line: expect.stringContaining('1 of 2') });
  });

  it('accepts proof files of now and of before, and refuses forged ones', async () => {
    const log = await cosigned({ size: 1_000 });
    for (const size of SIZES) {
      const then = await cosigned({ size });
      for (const index of new Set([0, size >> 1, size - 1])) {
        const proof = await then.proofOf(index);
        const forged = proof.replace(`index ${index}\n`, `index ${index === 0 ? 1 : index - 1}\n`);
        expect(await audit(log.files, '-proof', await saved('good', proof), ...QUORUM)).toMatchObject({
          code: 0,
        });
        expect(await audit(log.files, '-proof', await saved('bad', forged), ...QUORUM)).toMatchObject({
          code: 1,
        });
      }
    }
  });

  it('finds kept and broken promises', async () => {
    const [id, sha256] = ['sc-7914a92c6b07a6ac', Buffer.alloc(32, 7)];
    const receipt = Buffer.from(entryText({ kind: 'receipt', id, sha256 }));
    const promiser = seededSigner('log.example/promises');
    const text = promiseText({ origin: LOG_ORIGIN, id, sha256, by: new Date('2026-11-16T14:51:53Z') });
    const promise = await saved('promise', signNote(text, [promiser]));
    const args = ['-promise', promise, '-promise-vkey', noteKeyText(promiser.key)];
    const kept = await staticLog({ size: 300, entry: (index) => (index === 299 ? receipt : entryOf(index)) });
    const broken = await staticLog({ size: 300 });
    expect(await audit(kept.files, ...args)).toMatchObject({ code: 0 });
    expect(await audit(broken.files, ...args)).toMatchObject({
      code: 1,
      line: expect.stringContaining('kept'),
    });
  });

  it('says that it cannot tell when nobody answers', async () => {
    const silent = await serveFiles();
    const url = silent.publish(new Map());
    await silent.close();
    expect(await auditor.audit(['-url', url, '-vkey', logKey])).toMatchObject({ code: 2 });
  });
});
