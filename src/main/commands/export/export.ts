import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  openStaticFolder,
  type StaticCounts,
  type StaticFolder,
} from '../../../adapters/archive/static-folder.ts';
import { openStaticIndex } from '../../../adapters/archive/static-index.ts';
import type { Store } from '../../../adapters/store/store.ts';
import type { Outcome } from '../../../cli/exit-code.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { urlKeyOf } from '../../../core/keyed-hash.ts';
import { NO_WITNESSES, policyText } from '../../../flows/log/policy-text.ts';
import { linksAt } from '../../../wire/responses/links.ts';
import type { PublicConfig } from '../../build/build-app.ts';
import { secretOf } from '../../build/keep-secret.ts';
import { logKeysOf } from '../../build/log-keys.ts';
import { readWitnesses } from '../../build/log-witnesses.ts';
import { createPublicOutbound } from '../../build/outbound.ts';
import { packageVersion } from '../../build/runtime.ts';
import { requireSameSecret } from '../../build/same-secret.ts';
import { SYSTEM } from '../../build/system.ts';
import type { Output } from '../output.ts';
import { withUsedStore } from '../with-used-store.ts';
import { exportLog } from './export-log.ts';
import { exportReceipts } from './export-receipts.ts';
import { exportSkips } from './export-skips.ts';
import { exportSnapshot } from './export-snapshot.ts';

/** assay export: what never changes, and what names it, as files for a CDN. */
export async function runExport(
  given: Arguments,
  output: Output,
  environment?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const [folder = ''] = given.words;
  return withUsedStore(output, environment, async (store, config) => {
    const { baseUrl } = config;
    if (baseUrl === null) return output.fail('an export needs BASE_URL for links');
    // An export removes what the service no longer serves, and that is just what an archive has.
    if (existsSync(join(folder, 'receipts')))
      return output.fail(`${folder} has an archive of assay retire: export to another folder`);
    const done = await exportAll(store, { ...config, baseUrl }, folder);
    if (given.has('--json')) output.json(done);
    else output.print(`${done.files} files in ${folder}: ${done.written} written, ${done.removed} removed`);
    return 0;
  });
}

interface Exported extends StaticCounts {
  readonly files: number;
}

/** Receipts before what lists them, and the log before all. */
async function exportAll(store: Store, config: PublicConfig, folder: string): Promise<Exported> {
  const secret = secretOf(config);
  await requireSameSecret(secret, store.secretMark);
  const files = await openStaticFolder(folder);
  const index = await openStaticIndex(folder);
  const noted = files.noting(index.add);
  try {
    const links = linksAt(config.baseUrl);
    const { policy } = createPublicOutbound({ ...config, version: packageVersion() });
    const notes = { sellers: store.sellers, policy, keyOf: urlKeyOf(secret), clock: SYSTEM };
    await exportLog(store, noted, 'log/');
    await exportPolicy(store, config, secret, noted);
    await exportReceipts({ store, notes, links }, files, noted);
    const run = await exportSkips({ runs: store.runs, corrections: store.corrections, notes, links }, noted);
    await exportSnapshot(store, noted, links);
    const count = await index.finish({ base: config.baseUrl, run });
    return { files: count, ...files.counts() };
  } finally {
    await index.abandon();
    await files.close();
  }
}

/** Before a service has opened the log there is nothing to trust. */
async function exportPolicy(
  { transparencyLog: log }: Store,
  { transparency, baseUrl }: PublicConfig,
  secret: string,
  files: StaticFolder,
): Promise<void> {
  const epoch = await log.current();
  if (epoch === null) return;
  const { policyFile } = transparency;
  const witnesses = policyFile === null ? NO_WITNESSES : readWitnesses(policyFile).text;
  const promiseKey = logKeysOf(transparency, secret).promiseSignerOf(epoch).key;
  await files.put('log/policy', await policyText(`${baseUrl}/log`, { log, witnesses, promiseKey }));
}
