import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askHttpWitness } from '../../../src/adapters/log/http-witness.ts';
import { fileLogMark } from '../../../src/adapters/log/log-mark.ts';
import { noteKeyText } from '../../../src/core/log/note.ts';
import { beginEpoch } from '../../../src/flows/log/begin-epoch.ts';
import { NO_KEYS } from '../../../src/flows/log/log-keys.ts';
import { createCosignedPublisher } from '../../../src/flows/log/witness/publish-cosigned.ts';
import { logKeysOf } from '../../../src/main/build/log-keys.ts';
import { readWitnesses } from '../../../src/main/build/log-witnesses.ts';
import { entriesTo, FIRST, ORIGIN, testKeeper } from '../../support/log/test-log.ts';
import { type TestWitness, testWitness } from '../../support/log/test-witness.ts';
import { examined, newFolder, SECRET } from '../../support/operating/examining.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';

let place: Place;
let folder: string;

beforeEach(async () => {
  place = await newSqlitePlace();
  folder = dirname('file' in place.settings ? place.settings.file : '');
});
afterEach(() => place.remove());

const look = (settings: NodeJS.ProcessEnv = {}, world = {}) =>
  examined({ DATA_DIR: folder, SECRET, LOG_ORIGIN: ORIGIN, ...settings }, world);

/** A log with so many entries, all published, and the mark of the service beside it. */
async function grown(count: number) {
  const { transparencyLog: log } = await place.open();
  const mark = fileLogMark(folder);
  const { keeper } = testKeeper(log, { secret: SECRET, mark });
  await keeper.open();
  await log.add(entriesTo(count));
  await keeper.round();
  return log;
}

describe('assay doctor on the log', () => {
  it('says that there is none yet', async () => {
    expect((await look())('log')).toMatchObject({ status: 'off' });
  });

  it('is content with one that is sequenced and continues its mark', async () => {
    await grown(3);
    expect((await look())('log')).toMatchObject({
      status: 'ok',
      says: `${ORIGIN}, 3 entries, 0 waiting`,
    });
  });

  it('finds a database that was set back', async () => {
    await grown(2);
    rmSync(join(folder, 'log-mark'));
    const ahead = await newSqlitePlace();
    const { transparencyLog: other } = await ahead.open();
    const { keeper } = testKeeper(other, { secret: SECRET, mark: fileLogMark(folder) });
    await keeper.open();
    await other.add(entriesTo(5));
    await keeper.round();
    await ahead.remove();
    expect((await look())('log')).toMatchObject({
      status: 'failure',
      says: expect.stringContaining('it was rolled back'),
      fix: expect.stringContaining('keep log-mark'),
    });
  });

  it('finds keys and names of another log', async () => {
    await grown(1);
    expect((await look({ LOG_KEY: 'ab'.repeat(32) }))('log')).toMatchObject({
      status: 'failure',
      says: expect.stringContaining('other_keys'),
    });
    expect((await look({ LOG_ORIGIN: 'another.example/log' }))('log')).toMatchObject({
      status: 'failure',
      says: expect.stringContaining('other_origin'),
    });
  });

  it('finds an epoch that no service has begun, whose first entry waits since no time', async () => {
    const log = await grown(1);
    const begun = await beginEpoch(log, NO_KEYS);
    expect(await log.backlog()).toEqual({ entries: 1, oldestMs: null });
    expect((await look())('log')).toMatchObject({
      status: 'failure',
      says: `${begun?.origin}, 0 entries, 1 waiting`,
      fix: 'start every process of the service again',
    });
  });

  it('finds entries that nobody sequences', async () => {
    const log = await grown(1);
    await log.add(entriesTo(2, 10));
    expect((await look())('log').status).toBe('ok');
    const { database } = await place.connect();
    await database
      .updateTable('log_entries')
      .set({ queued_at: Date.now() - 300_000 })
      .where('seq', 'is', null)
      .execute();
    await database.destroy();
    expect((await look())('log')).toMatchObject({
      status: 'failure',
      says: expect.stringMatching(/, 2 waiting for (?:299|30[0-9]) s$/),
    });
  });
});

describe('assay doctor on witnesses', () => {
  let witness: TestWitness;
  let LOG_POLICY: string;
  const keys = logKeysOf({ key: null, oldKey: null }, SECRET);

  beforeEach(async () => {
    witness = await testWitness(
      'witness.example/w1',
      keys.signersOf(FIRST).map(({ key }) => key),
    );
    LOG_POLICY = join(newFolder(), 'policy');
    const line = `witness w1 ${noteKeyText(witness.signer.key)} ${witness.address()}`;
    writeFileSync(LOG_POLICY, `${line}\nquorum w1\n`);
  });
  afterEach(() => witness.remove());

  /** Publishes what there is, with a cosignature. */
  async function cosigned() {
    const log = await grown(2);
    const { publish } = createCosignedPublisher({
      ...keys,
      log,
      policy: readWitnesses(LOG_POLICY).policy,
      ask: askHttpWitness,
      now: () => new Date(),
      stopwatch: () => performance.now(),
      onChange: () => {},
    });
    const head = await log.current();
    if (head !== null) await publish(head);
  }

  it('is off without LOG_POLICY', async () => {
    expect((await look())('witnesses')).toMatchObject({
      status: 'off',
      says: expect.stringContaining('LOG_POLICY'),
    });
  });

  it('is content with one that has cosigned and still does', async () => {
    await cosigned();
    expect((await look({ LOG_POLICY }))('witness w1')).toMatchObject({
      status: 'ok',
      says: expect.stringMatching(/^cosigns; last cosignature [0-9] s ago$/),
    });
  });

  it('warns of one that the service has not asked', async () => {
    await grown(2);
    expect((await look({ LOG_POLICY }))('witness w1')).toMatchObject({
      status: 'warning',
      says: 'cosigns, but no cosignature of it is published',
      fix: expect.stringMatching(/^look again in a minute, then restart the service/),
    });
  });

  it('says what one lacks that does not know the log', async () => {
    await grown(2);
    const stranger = await testWitness('witness.example/w1', []);
    const line = `witness w1 ${noteKeyText(stranger.signer.key)} ${stranger.address()}`;
    writeFileSync(LOG_POLICY, `${line}\nquorum w1\n`);
    const seen = (await look({ LOG_POLICY }))('witness w1');
    await stranger.remove();
    expect(seen).toMatchObject({
      status: 'failure',
      says: expect.stringContaining('does not cosign: status 40'),
      fix: expect.stringContaining('GET /log/policy'),
    });
  });

  it('finds one that is dead', async () => {
    await cosigned();
    await witness.stop();
    expect((await look({ LOG_POLICY }))('witness w1')).toMatchObject({
      status: 'failure',
      says: expect.stringMatching(/^does not cosign: cannot be reached; last cosignature [0-9]+ s ago$/),
    });
  });

  it('finds one that has seen more than the database has', async () => {
    await cosigned();
    await place.remove();
    place = await newSqlitePlace();
    folder = dirname('file' in place.settings ? place.settings.file : '');
    await grown(1);
    expect((await look({ LOG_POLICY }))('witness w1')).toMatchObject({
      status: 'failure',
      says: expect.stringContaining('rolled back'),
    });
  });

  it('finds a policy that cannot be read', async () => {
    expect((await look({ LOG_POLICY: join(folder, 'none') }))('witnesses')).toMatchObject({
      status: 'failure',
      says: expect.stringContaining('it cannot be read'),
    });
  });
});
