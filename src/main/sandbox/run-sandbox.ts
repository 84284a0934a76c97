import type { Outcome } from '../../cli/exit-code.ts';
import type { Arguments } from '../../cli/read-arguments.ts';
import { faultText, type Output, STANDARD_OUTPUT } from '../commands/output.ts';
import { readSandboxOptions, type SandboxOptions } from './options.ts';
import type { Sandbox } from './start.ts';

/** assay sandbox: starts it, then it runs until a signal stops it. Returns the exit code of the start. */
export async function runSandbox(given: Arguments): Promise<Outcome> {
  const reading = readSandboxOptions(given);
  return reading.kind === 'invalid' ? { invalid: reading.problem } : start(reading.options);
}

async function start(options: SandboxOptions): Promise<number> {
  // Loading takes a second, which a message about an invalid argument should not wait for.
  const { startSandbox } = await import('./start.ts');
  const { guideOf, reportOf } = await import('./guide.ts');
  const started: Started = { isStopped: false };
  stopOnSignal(started);
  started.sandbox = startSandbox({
    ...options,
    now: () => new Date(),
    onFault: (id, fault) => output.note(`request ${id} failed: ${String(fault)}`),
  });
  try {
    const sandbox = await started.sandbox;
    await fill(sandbox, options);
    if (options.json) output.json(reportOf(sandbox));
    else output.print(guideOf(sandbox, options));
    return 0;
  } catch (fault) {
    // Stopped while it was being filled: the servers that fill it are gone, which is no fault.
    if (started.isStopped) return 0;
    const half = await started.sandbox.catch(() => null);
    await half?.stop();
    return output.fail(faultText(fault));
  }
}

/** So that every page has something to show. Both at once, as most of the time is spent waiting for the slow seller. */
async function fill(sandbox: Sandbox, { verify, crawl }: SandboxOptions): Promise<void> {
  const [{ verifySandbox }, { crawlSandbox }] = await Promise.all([
    import('./verify.ts'),
    import('./crawl.ts'),
  ]);
  if (verify && crawl)
    output.note('paying the sellers and crawling the lists, about 8 seconds (--bare skips it)');
  await Promise.all([
    verify ? verifySandbox(sandbox, output) : null,
    crawl ? crawlSandbox(sandbox, output) : null,
  ]);
}

interface Started {
  /** By a signal. */
  isStopped: boolean;
  sandbox?: Promise<Sandbox>;
}

/**
 * Installed before anything is created, so that every signal cleans up. A terminal and npm may both deliver the same Ctrl-C;
 * the second signal changes nothing.
 */
function stopOnSignal(started: Started): void {
  const stopping: Promise<void>[] = [];
  const stop = async () => (await started.sandbox)?.stop();
  const fail = () => {
    process.exitCode = output.fail('cannot stop cleanly');
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      started.isStopped = true;
      if (stopping.length === 0) stopping.push(stop().catch(fail));
    });
  }
}

/** Notes are one line each. */
const output: Output = {
  ...STANDARD_OUTPUT,
  note: (line) => process.stderr.write(`sandbox: ${line.replaceAll('\n', ' ')}\n`),
  fail: (reason) => {
    output.note(reason);
    return 1;
  },
};
