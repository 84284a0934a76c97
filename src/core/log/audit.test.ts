import { describe, expect, it } from 'vitest';
import { entryOf } from '../../../test/support/log/memory-tree.ts';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import {
  COSIGNED_AT,
  LOG_ORIGIN,
  LOG_SIGNER,
  staticLog,
  WITNESS_SIGNERS,
  withFlippedBit,
} from '../../../test/support/log/static-log.ts';
import { type AuditRequest, auditLog } from './audit.ts';
import { checkpointText } from './checkpoint.ts';
import { noteKeyText, signNote } from './note.ts';
import { type Policy, parsePolicy } from './policy.ts';
import { EMPTY_ROOT } from './tree-hash.ts';

const FILES_AT_ONCE = 3;
const vkeys = WITNESS_SIGNERS.map(({ key }) => noteKeyText(key));

function policyOf(quorum: string, log = LOG_SIGNER): Policy {
  const text = `log ${noteKeyText(log.key)}\nwitness w1 ${vkeys[0]}\nwitness w2 ${vkeys[1]}\ngroup both all w1 w2\nquorum ${quorum}\n`;
  const policy = parsePolicy(text);
  if ('fault' in policy) throw new Error(policy.fault);
  return policy;
}

type Files = ReadonlyMap<string, Uint8Array>;

const audit = (files: Files, change: Partial<AuditRequest> = {}) =>
  auditLog({
    fetchFile: (path) => Promise.resolve(files.get(path) ?? null),
    policy: policyOf('none'),
    filesAtOnce: FILES_AT_ONCE,
    sizeMax: 100_000,
    ...change,
  });

const faultsOf = async (files: Files, change: Partial<AuditRequest> = {}) =>
  (await audit(files, change)).faults.map(({ kind, path }) => `${kind} ${path}`);

describe('the audit of a sound log', () => {
  it.each([0, 1, 2, 255, 256, 257, 1_000, 65_537])('of %i entries finds nothing', async (size) => {
    const { files, head, checkpoint } = await staticLog({ size });
    const entries: string[] = [];
    const report = await audit(files, {
      onEntry: (entry, index) => {
        expect(index).toBe(entries.length);
        entries.push(`${Buffer.from(entry)}`);
      },
    });
    expect(report).toEqual({ checkpoint, head, cosigned: [], faults: [] });
    expect(entries).toEqual(Array.from({ length: size }, (_, index) => `${Buffer.from(entryOf(index))}`));
  });

  it('fetches every file once, in no more at a time than allowed', async () => {
    const { files } = await staticLog({ size: 3_000 });
    const fetched: string[] = [];
    let [now, most] = [0, 0];
    const fetchFile = async (path: string) => {
      fetched.push(path);
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return files.get(path) ?? null;
    };
    expect(await faultsOf(files, { fetchFile })).toEqual([]);
    expect(fetched.sort()).toEqual([...files.keys()].sort());
    expect(most).toBe(FILES_AT_ONCE);
  });

  it('accepts every smaller head of it, and full files in place of partial ones', async () => {
    const { files } = await staticLog({ size: 600 });
    for (const size of [0, 1, 255, 256, 257, 512, 600]) {
      const { head: old, files: older } = await staticLog({ size });
      expect(await faultsOf(files, { old })).toEqual([]);
      const mixed = new Map([...files, ['checkpoint', older.get('checkpoint') ?? new Uint8Array()]]);
      const partial = [...older.keys()].filter((path) => path.includes('.p/') && !mixed.has(path));
      const reachable = partial.filter((path) => !mixed.has(path.replace(/\.p\/.*$/, '')));
      for (const path of reachable) mixed.set(path, older.get(path) ?? new Uint8Array());
      expect(await faultsOf(mixed)).toEqual([]);
    }
  });

  it('reports who cosigned and when', async () => {
    const { files } = await staticLog({ size: 5, cosigners: WITNESS_SIGNERS });
    const both = await audit(files, { policy: policyOf('both') });
    expect(both).toMatchObject({
      faults: [],
      cosigned: [
        { witness: 'w1', time: COSIGNED_AT },
        { witness: 'w2', time: COSIGNED_AT },
      ],
    });
  });
});

describe('the audit of an unsound log', () => {
  it.each([1, 256, 257, 1_300])('of %i entries sees a flipped bit in every file', async (size) => {
    const { files } = await staticLog({ size });
    for (const [seed, [path, bytes]] of [...files].entries()) {
      const spoilt = new Map(files).set(path, withFlippedBit(bytes, seed + size));
      expect([path, await faultsOf(spoilt)]).not.toEqual([path, []]);
    }
  });

  it.each([2, 257, 600])('of %i entries names every missing and every cut file', async (size) => {
    const { files } = await staticLog({ size });
    for (const [path, bytes] of files) {
      const without = new Map(files);
      without.delete(path);
      const missing = path === 'checkpoint' ? 'checkpoint_missing' : 'file_missing';
      expect(await faultsOf(without)).toEqual([`${missing} ${path}`]);
      const [first] = await faultsOf(new Map(files).set(path, bytes.subarray(0, -1)));
      expect(first).toContain(path);
    }
  });

  it('compares full tiles above the leaves, too', async () => {
    const { files } = await staticLog({ size: 65_537 });
    const path = 'tile/1/000';
    const spoilt = new Map(files).set(path, withFlippedBit(files.get(path) ?? new Uint8Array(), 5));
    expect(await faultsOf(spoilt)).toEqual([`tile_differs ${path}`]);
  });

  it('refuses a checkpoint that only becomes the signed text when invalid UTF-8 is repaired', async () => {
    const log = seededSigner('log\ufffd.example');
    const note = signNote(checkpointText({ origin: log.key.name, size: 0, root: EMPTY_ROOT }), [log]);
    const policy = policyOf('none', log);
    const good = Buffer.from(note);
    const bad = Buffer.from(good.toString('latin1').replaceAll('\xef\xbf\xbd', '\xff'), 'latin1');
    expect(bad.toString()).toBe(note);
    expect(await faultsOf(new Map([['checkpoint', good]]), { policy })).toEqual([]);
    expect(await faultsOf(new Map([['checkpoint', bad]]), { policy })).toEqual([
      'checkpoint_malformed checkpoint',
    ]);
  });

  it('goes on behind a bad bundle, and stops where bundle and tile are gone', async () => {
    const { files } = await staticLog({ size: 600 });
    const spoilt = new Map(files).set('tile/entries/000', Buffer.of(1));
    spoilt.delete('tile/0/001');
    expect(await faultsOf(spoilt)).toEqual(['bundle_malformed tile/entries/000', 'file_missing tile/0/001']);
    spoilt.delete('tile/0/000');
    expect(await faultsOf(spoilt)).toEqual(['bundle_malformed tile/entries/000', 'file_missing tile/0/000']);
  });

  it('names one changed entry, the tiles above it and the root', async () => {
    const { files } = await staticLog({ size: 600 });
    const { files: forged } = await staticLog({
      size: 600,
      entry: (index) => (index === 3 ? Buffer.from('forged') : entryOf(index)),
    });
    const path = 'tile/entries/000';
    const spoilt = new Map(files).set(path, forged.get(path) ?? new Uint8Array());
    expect(await faultsOf(spoilt)).toEqual([
      'tile_differs tile/0/000',
      'tile_differs tile/1/000.p/2',
      'root_differs checkpoint',
    ]);
  });

  it('sees a rewritten past, a shrunken log and a log of another name', async () => {
    const { files } = await staticLog({ size: 600 });
    const entry = (index: number) => Buffer.from(`other ${index}`);
    for (const size of [1, 256, 300, 600]) {
      const { head: old } = await staticLog({ size, entry });
      expect(await faultsOf(files, { old })).toEqual(['history_rewritten checkpoint']);
    }
    const { head: larger } = await staticLog({ size: 601 });
    expect(await faultsOf(files, { old: larger })).toEqual(['log_shrank checkpoint']);
    const old = { ...larger, origin: 'log.example/other', size: 600 };
    expect(await faultsOf(files, { old })).toEqual(['checkpoint_wrong_origin checkpoint']);
  });

  it('refuses strangers, missing witnesses, other origins and logs beyond the bound', async () => {
    const { files } = await staticLog({ size: 5, cosigners: WITNESS_SIGNERS.slice(0, 1) });
    const stranger = policyOf('none', seededSigner(LOG_ORIGIN, 1, 'another seed'));
    expect(await faultsOf(files, { policy: policyOf('w1') })).toEqual([]);
    expect(await faultsOf(files, { policy: policyOf('both') })).toEqual(['checkpoint_no_quorum checkpoint']);
    // The witness is known and right; that does not make the log's own signature dispensable.
    expect(await faultsOf(files, { policy: stranger })).toEqual(['checkpoint_unsigned checkpoint']);
    expect(await faultsOf(files, { origin: 'log.example' })).toEqual(['checkpoint_wrong_origin checkpoint']);
    expect(await faultsOf(files, { origin: LOG_ORIGIN })).toEqual([]);
    expect(await faultsOf(files, { sizeMax: 4 })).toEqual(['log_too_large checkpoint']);
  });

  it('lists at most 100 faults', async () => {
    const { files } = await staticLog({ size: 256 * 120 });
    const spoilt = new Map([...files].filter(([path]) => !path.startsWith('tile/entries/')));
    expect(await faultsOf(spoilt)).toHaveLength(100);
  });

  it('passes on that the log cannot be reached', async () => {
    const fetchFile = () => Promise.reject(new Error('no route'));
    await expect(audit(new Map(), { fetchFile })).rejects.toThrow('no route');
    const { files } = await staticLog({ size: 2_000 });
    const later = (path: string) =>
      path.startsWith('tile/entries/') ? fetchFile() : Promise.resolve(files.get(path) ?? null);
    await expect(audit(files, { fetchFile: later })).rejects.toThrow('no route');
  });
});
