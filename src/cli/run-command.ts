import type { CommandName } from './command-table.ts';
import { EXIT, type Outcome } from './exit-code.ts';
import { type Arguments, helpOf, readArguments } from './read-arguments.ts';

export interface RunParts {
  readonly run: (given: Arguments) => Promise<Outcome>;
  /** For standard output. */
  readonly print: (text: string) => void;
  /** For standard error. */
  readonly note: (line: string) => void;
}

/** Prints the help of a command, or reads its arguments and runs it. Returns the exit code. */
export async function runCommand(
  name: CommandName,
  argv: readonly string[],
  { run, print, note }: RunParts,
): Promise<number> {
  if (wantsHelp(argv)) {
    print(helpOf(name));
    return EXIT.done;
  }
  const reading = readArguments(name, argv);
  const outcome = reading.kind === 'invalid' ? { invalid: reading.problem } : await run(reading.given);
  if (typeof outcome === 'number') return outcome;
  note(`assay ${name}: ${outcome.invalid}; see assay ${name} --help`);
  return EXIT.usage;
}

function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).some((word) => word === '--help' || word === '-h');
}
