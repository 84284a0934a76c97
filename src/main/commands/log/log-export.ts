import { openStaticFolder } from '../../../adapters/archive/static-folder.ts';
import type { Outcome } from '../../../cli/exit-code.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { exportLog } from '../export/export-log.ts';
import type { Output } from '../output.ts';
import { withUsedStore } from '../with-used-store.ts';

/** assay log export: the files below /log, for a web server or a CDN. */
export async function runLogExport(
  { words: [folder = ''] }: Arguments,
  output: Output,
  environment?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  return withUsedStore(output, environment, async (store) => {
    const files = await openStaticFolder(folder);
    try {
      await exportLog(store, files, '');
      output.note(`${files.counts().written} files written to ${folder}`);
      return 0;
    } finally {
      await files.close();
    }
  });
}
