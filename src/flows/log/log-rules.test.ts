import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testKeeper } from '../../../test/support/log/test-log.ts';
import { newSqlitePlace, type Place } from '../../../test/support/storing/stores.ts';
import type { LogStore } from '../../ports/log/transparency-log.ts';
import { logRules } from './log-rules.ts';

const FILES = new Map([
  ['3', 'export const version = "3";'],
  ['4', 'export const version = "4";'],
]);
const entryOf = (version: string) => {
  const sha256 = createHash('sha256')
    .update(FILES.get(version) ?? '')
    .digest('base64');
  return `assay rules v1\n${version}\n${sha256}\n`;
};

describe('rules in the log', () => {
  let place: Place;
  let log: LogStore;
  beforeEach(async () => {
    place = await newSqlitePlace();
    log = (await place.open()).transparencyLog;
  });
  afterEach(() => place.remove());

  it('have one entry a file, however often the service starts', async () => {
    const { keeper } = testKeeper(log);
    for (let start = 0; start < 3; start += 1) {
      expect(await logRules(FILES, log)).toEqual([]);
      await keeper.round();
    }
    const entries = await log.entries('1', 0, 9);
    expect(entries.map(({ entry }) => entry).toSorted()).toEqual([entryOf('3'), entryOf('4')]);
    expect(await log.place('rules:4')).toMatchObject({ entry: entryOf('4') });
  });

  it('are not replaced by another file of the same version, which is named', async () => {
    const { keeper } = testKeeper(log);
    await logRules(FILES, log);
    await keeper.round();
    expect(await logRules(new Map([...FILES, ['4', 'changed']]), log)).toEqual(['4']);
    expect(await log.place('rules:4')).toMatchObject({ entry: entryOf('4') });
  });
});
