import { ASK_COMMANDS, type AskName } from '../../../src/cli/ask-commands.ts';
import type { CommandContext, LocalOutbound, Screen } from '../../../src/cli/command-context.ts';
import type { CommandName } from '../../../src/cli/command-table.ts';
import type { Outcome } from '../../../src/cli/exit-code.ts';
import type { LintOutbound } from '../../../src/cli/lint/look-around.ts';
import type { Arguments } from '../../../src/cli/read-arguments.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import type { Output } from '../../../src/main/commands/output.ts';

export const NOON = new Date('2026-11-15T12:00:00.000Z');

/** Everything that a command writes, and everything it is handed, without a process around it. */
export function commandLine(changes: Partial<CommandLineParts> = {}) {
  const {
    fetch = nobody,
    input = null,
    terminal = false,
    columns = 80,
    outbound = null,
    lintOutbound = null,
    askHere = nothingHere,
    colour = 'auto',
    key = '',
    progress = true,
    guardPolicy = '',
    configFolder = '/nowhere',
    now = () => NOON,
  } = changes;
  const stopping = new AbortController();
  const [out, notes] = [screen(terminal, columns), screen(terminal, columns)];
  const context: CommandContext = {
    out,
    notes,
    input: { isTerminal: input === null, chunks: () => chunksOf(input ?? []) },
    settings: { server: 'http://assay.test', key, colour, progress, guardPolicy, configFolder },
    fetch,
    now,
    // A moment instead of a minute, in which the network can go on.
    wait: () => new Promise((resolve) => setTimeout(resolve, 1)),
    stop: stopping.signal,
    outbound: async () => {
      if (outbound === null) throw new Error('nothing is looked at from here');
      return outbound;
    },
    askHere,
    lintOutbound: async () => {
      if (lintOutbound === null) throw new Error('nothing is requested from here');
      return lintOutbound;
    },
  };
  const run = async (name: AskName, argv: readonly string[]) => {
    const command = await ASK_COMMANDS[name]();
    return runCommand(name, argv, {
      run: (given) => command(given, context),
      print: (text) => out.write(`${text}\n`),
      note: (text) => notes.write(`${text}\n`),
    });
  };
  return { run, stop: () => stopping.abort(), out: out.text, notes: notes.text };
}

export interface CommandLineParts {
  readonly fetch: typeof fetch;
  /** Standard input; null is a terminal at which nobody types. */
  readonly input: readonly string[] | null;
  readonly terminal: boolean;
  readonly columns: number;
  readonly colour: CommandContext['settings']['colour'];
  readonly progress: boolean;
  readonly key: string;
  readonly outbound: LocalOutbound | null;
  readonly lintOutbound: LintOutbound | null;
  readonly askHere: CommandContext['askHere'];
  readonly guardPolicy: string;
  readonly configFolder: string;
  readonly now: () => Date;
}

function screen(isTerminal: boolean, columns: number): Screen & { readonly text: () => string } {
  const written: string[] = [];
  return {
    isTerminal,
    columns,
    write: (text) => void written.push(text),
    text: () => written.join(''),
  };
}

async function* chunksOf(texts: readonly string[]) {
  for (const text of texts) yield new TextEncoder().encode(text);
}

const nothingHere: CommandContext['askHere'] = async () => {
  throw new Error('there is no service in this process');
};

const nobody: typeof fetch = async () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) });
};

/** A service that answers by path; every URL that was asked for is kept. */
export function answering(answers: Readonly<Record<string, unknown>>) {
  const asked: URL[] = [];
  const send: typeof fetch = async (url) => {
    const address = new URL(String(url));
    asked.push(address);
    const answer = answers[address.pathname];
    if (answer instanceof Response) return answer.clone();
    if (answer === undefined) return Response.json({ detail: 'There is nothing here.' }, { status: 404 });
    return Response.json(answer);
  };
  return { asked, fetch: send };
}

/** Runs a command as it is typed: what it printed, what it noted, and its exit code. */
export async function run(
  [name, ...argv]: readonly [AskName, ...string[]],
  parts: Partial<CommandLineParts> = {},
) {
  const line = commandLine(parts);
  const code = await line.run(name, argv);
  return { code, out: line.out(), notes: line.notes() };
}

/** Runs an operating command as it is typed: what it printed, what it noted, and its exit code. */
export async function operate(
  [name, ...argv]: readonly [CommandName, ...string[]],
  command: (given: Arguments, output: Output) => Promise<Outcome>,
) {
  const [printed, notes]: [string[], string[]] = [[], []];
  const output: Output = {
    print: (text) => void printed.push(text),
    json: (value) => void printed.push(JSON.stringify(value)),
    note: (line) => void notes.push(line),
    fail: (reason) => {
      notes.push(reason);
      return 1;
    },
  };
  const code = await runCommand(name, argv, { ...output, run: (given) => command(given, output) });
  return { code, printed, notes };
}

/** The free shape of a check. */
export function freeCheck(verdict: string, more: object = {}) {
  return {
    verdict,
    reason: 'Words of the service.',
    payment_terms_sha256: null,
    receipt_id: null,
    receipt_url: null,
    access: { tier: 'free', free_per_day: 50, free_used_today: 1, free_remaining_today: 49 },
    ...more,
  };
}

export const PAYMENT_REQUIRED = Response.json(
  { x402Version: 2, error: 'Payment required', accepts: [{ amount: '12000' }] },
  { status: 402 },
);

export function problem(status: number, detail: string, headers = {}): Response {
  return Response.json({ status, detail }, { status, headers });
}
