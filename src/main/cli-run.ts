import type { CommandSpec } from '../cli/command-table.ts';
import { EXIT } from '../cli/exit-code.ts';
import { runCommand } from '../cli/run-command.ts';
import { realSurroundings } from './cli-surroundings.ts';

/** As the shell counts a process that a signal has ended. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;
const BROKEN_PIPE = 141;
/** Their exit code is a verdict, and nobody may take "nobody read it" for "pay". */
const VERDICTS: ReadonlySet<string> = new Set(['check', 'receipt']);

/** Runs one of the commands that ask. Answers the exit code. */
export async function runAsking(spec: CommandSpec, argv: readonly string[]): Promise<number> {
  endQuietlyWithoutReader(VERDICTS.has(spec.name) ? BROKEN_PIPE : EXIT.done);
  const stopping = new AbortController();
  const stopped: { code?: number } = {};
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      // Whoever asks twice does not want to wait for anything.
      if (stopping.signal.aborted) process.exit(code);
      stopped.code = code;
      stopping.abort();
    });
  }
  const around = realSurroundings(stopping.signal);
  try {
    const code = await runCommand(spec, argv, around);
    // What was under way would keep the process alive.
    if (stopped.code !== undefined) process.exit(stopped.code);
    return code;
  } catch (fault) {
    around.notes.write(`assay: ${fault instanceof Error ? fault.message : 'it failed'}\n`);
    return EXIT.unreachable;
  }
}

/** `assay skips | head -1` has all it wants: that is no fault. */
function endQuietlyWithoutReader(code: number): void {
  process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
    if (fault.code === 'EPIPE') process.exit(code);
    process.stderr.write(`assay: the result cannot be written (${fault.code})\n`);
    process.exit(EXIT.unreachable);
  });
  process.stderr.on('error', () => {});
}
