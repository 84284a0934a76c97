import { readServer } from '../ask/ask-service.ts';
import { bodyText } from '../ask/asking.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { LogAway, type LogFiles, logFilesAt, textFile } from './log-files.ts';
import { readPolicy } from './trust.ts';

const POLICY_BYTES = 262_144;
const TIMEOUT_SECONDS = 20;
const TIMEOUT_SECONDS_MAX = 300;

export interface LogAddress {
  readonly server: string;
  readonly files: LogFiles;
}

/** The address of a service, or of its log; or one line about what is wrong. */
export function readLogAddress(given: Arguments, context: CommandContext): LogAddress | string {
  const server = readServer((given.words[0] ?? context.settings.server).replace(/\/log\/?$/, ''));
  if (server === null) return 'the service must be an address such as https://assay.example.com';
  const text = given.text('--timeout') ?? String(TIMEOUT_SECONDS);
  const seconds = /^[0-9]{1,3}(?:\.[0-9]{1,3})?$/.test(text) ? Number(text) : 0;
  if (seconds <= 0 || seconds > TIMEOUT_SECONDS_MAX)
    return `--timeout must be a number of seconds above 0, up to ${TIMEOUT_SECONDS_MAX}`;
  return { server, files: logFilesAt(server, seconds, context) };
}

/** One line for a log that cannot be read now; it proves nothing. */
export function printAway(server: string, fault: unknown, { notes, stop }: CommandContext): Outcome {
  if (!(fault instanceof LogAway)) throw fault;
  notes.write(`assay: the service at ${server} ${fault.message}\n`);
  return stop.aborted ? EXIT.stopped : EXIT.unreachable;
}

/** assay log key */
export async function logKey(given: Arguments, context: CommandContext): Promise<Outcome> {
  const address = readLogAddress(given, context);
  if (typeof address === 'string') return { invalid: address };
  const { server, files } = address;
  try {
    const policy = await textFile(files, 'policy', POLICY_BYTES);
    if (policy === null) throw new LogAway('has no transparency log');
    readPolicy(policy);
    context.out.write(bodyText(policy, context.out.isTerminal));
    return EXIT.done;
  } catch (fault) {
    return printAway(server, fault, context);
  }
}
