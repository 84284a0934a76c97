import { openStaticFolder } from '../../../adapters/archive/static-folder.ts';
import type { Outcome } from '../../../cli/exit-code.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { openStore } from '../../build/open-store.ts';
import { readConfig } from '../../config/config.ts';
import { exportLog } from '../export/export-log.ts';
import { faultText, type Output } from '../output.ts';

/** assay log export: the files below /log, for a web server or a CDN. */
export async function runLogExport(
  { words: [folder = ''] }: Arguments,
  output: Output,
  environment?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const reading = readConfig(environment);
  if (reading.kind === 'invalid') return output.fail(`invalid setting: ${reading.problem}`);
  try {
    const store = await openStore(reading.config);
    const files = await openStaticFolder(folder);
    try {
      await exportLog(store, files, '');
      output.note(`${files.counts().written} files written to ${folder}`);
      return 0;
    } finally {
      await files.close();
      await store.close();
    }
  } catch (fault) {
    return output.fail(faultText(fault));
  }
}
