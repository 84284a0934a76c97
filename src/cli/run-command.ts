import type { Surroundings } from './command-context.ts';
import type { CommandSpec } from './command-table.ts';
import { EXIT, type ExitCode, type Outcome } from './exit-code.ts';
import { type Arguments, readArguments } from './read-arguments.ts';

/** One of the commands that ask: reads what was typed, and answers the exit code. */
export async function runCommand(
  spec: CommandSpec,
  argv: readonly string[],
  around: Surroundings,
): Promise<ExitCode> {
  const reading = readArguments(spec, argv);
  const outcome: Outcome =
    reading.kind === 'wrong' ? { wrong: reading.line } : await runNamed(spec.name, reading.given, around);
  if (typeof outcome === 'number') return outcome;
  around.notes.write(`assay ${spec.name}: ${outcome.wrong}\n  assay ${spec.name} --help says more\n`);
  return EXIT.usage;
}

/** Each is loaded only when it is wanted. */
async function runNamed(name: string, given: Arguments, around: Surroundings): Promise<Outcome> {
  switch (name) {
    case 'check':
      return (await import('./commands/check.ts')).check(given, around);
    case 'lookup':
      return (await import('./commands/lookup.ts')).lookup(given, around);
    case 'receipt':
      return (await import('./commands/receipt.ts')).receipt(given, around);
    case 'skips':
      return (await import('./commands/skips.ts')).skips(given, around);
    case 'tasks':
      return (await import('./commands/tasks.ts')).tasks(given, around);
    case 'completion':
      return completion(given, around);
    default:
      throw new Error(`${name} is no command that asks`);
  }
}

async function completion({ words: [shell] }: Arguments, { out }: Surroundings): Promise<Outcome> {
  const { completionFor } = await import('./commands/completion.ts');
  const script = completionFor(shell ?? '');
  if (script === null) return { wrong: 'the shell must be bash, zsh or fish' };
  out.write(script);
  return EXIT.done;
}
