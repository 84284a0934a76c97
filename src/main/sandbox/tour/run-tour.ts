import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '../../../cli/exit-code.ts';
import { createPaint } from '../../../cli/show/paint.ts';
import { faultText, type Output } from '../../commands/output.ts';
import { stopSignal } from '../../commands/stop-signal.ts';
import { mayColour } from '../../config/may-colour.ts';
import { crawlSandbox } from '../crawl.ts';
import { requireBuyersPackages } from '../own-program.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { runCommandOf } from './run-command-of.ts';
import { type Command, tourSteps } from './steps.ts';
import { walkSteps } from './walk-steps.ts';

/** assay tour: five real commands against a sandbox of its own. Returns the exit code. */
export async function runTour(output: Output): Promise<Outcome> {
  const stop = stopSignal();
  const folder = mkdtempSync(join(tmpdir(), 'assay-tour-'));
  const opened: { sandbox?: Sandbox } = {};
  try {
    requireBuyersPackages();
    output.print(
      'Starting a sandbox: a chain, a facilitator, sellers, lists and Assay; then one crawl of the lists, about 8 seconds.',
    );
    opened.sandbox = await startSandbox({
      port: 0,
      allowed: [],
      now: () => new Date(),
      onFault: (id, fault) => output.note(`request ${id} failed: ${String(fault)}`),
    });
    await crawlSandbox(opened.sandbox, { ...output, note: () => {} });
    const paint = createPaint(process.stdout.isTTY === true && mayColour());
    const run = (command: Command) => runCommandOf(command, { folder, stop });
    return await walkSteps(tourSteps(opened.sandbox, folder), { output, paint, run, stop });
  } catch (fault) {
    return output.fail(faultText(fault));
  } finally {
    await opened.sandbox?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
