import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../adapters/store/store.ts';
import { openStore } from '../build/open-store.ts';
import { type Config, readConfig } from '../config/config.ts';
import { faultText, type Output } from './output.ts';

/** Runs a command on the store of a service. Does not create one. */
export async function withUsedStore(
  output: Output,
  environment: NodeJS.ProcessEnv | undefined,
  run: (store: Store, config: Config) => Promise<number>,
): Promise<number> {
  const reading = readConfig(environment);
  if (reading.kind === 'invalid') return output.fail(`invalid setting: ${reading.problem}`);
  const { config } = reading;
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'assay.db'))) {
    return output.fail(`there is no store in ${config.dataDir}`);
  }
  try {
    const store = await openStore(config);
    try {
      return await run(store, config);
    } finally {
      await store.close();
    }
  } catch (fault) {
    return output.fail(faultText(fault));
  }
}
