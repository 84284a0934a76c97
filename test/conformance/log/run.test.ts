import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteKeyText } from '../../../src/core/log/note.ts';
import { logKeysOf } from '../../../src/main/build/log-keys.ts';
import { buildGoAuditor, type GoAuditor, missingForGoAuditor } from '../../support/log/go-auditor.ts';
import { FIRST, ORIGIN } from '../../support/log/test-log.ts';
import { publishLogged, testRunLog } from '../../support/log/test-runs.ts';
import { SECRET, startService, type TestService } from '../../support/running/running-service.ts';

const RUN = '0123456789abcdef';
const keys = logKeysOf({ key: null, oldKey: null }, SECRET);
const logKey = keys.signersOf(FIRST).map(({ key }) => noteKeyText(key))[0] ?? '';
const runKey = keys.runSignersOf(FIRST, RUN).map(({ key }) => noteKeyText(key))[0] ?? '';

const missing = missingForGoAuditor();
if (missing !== null) console.warn(`The auditor in Go is skipped: it needs ${missing}.`);

describe.skipIf(missing !== null)('the auditor in Go on the tree of a run', () => {
  let auditor: GoAuditor;
  let service: TestService;

  beforeAll(async () => {
    auditor = await buildGoAuditor();
    service = await startService({ door: 'socket' });
    const { store, logKeeper: keeper } = service;
    await publishLogged(store, RUN, 1_300, testRunLog(store, { secret: SECRET, keeper }));
    await keeper.round();
  });
  afterAll(async () => {
    await auditor?.remove();
    await service?.close();
  });

  const audit = (...args: readonly string[]) =>
    auditor.audit(['-url', `${service.address}/log/run/${RUN}`, ...args]);

  it('accepts it by the key of the log, and by the same key under the name of the run', async () => {
    const wanted = { code: 0, line: expect.stringContaining('WELL size=1300') };
    expect(await audit('-vkey', logKey, '-origin', `${ORIGIN}/run/${RUN}`)).toMatchObject(wanted);
    expect(await audit('-vkey', runKey)).toMatchObject(wanted);
  });

  it('refuses it as the log, and as another run', async () => {
    expect(await audit('-vkey', logKey)).toMatchObject({ code: 1 });
    expect(await audit('-vkey', logKey, '-origin', `${ORIGIN}/run/another`)).toMatchObject({ code: 1 });
  });
});
