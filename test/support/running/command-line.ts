import type { LocalReach, Screen, Surroundings } from '../../../src/cli/command-context.ts';
import { type CommandSpec, findCommand } from '../../../src/cli/command-table.ts';
import { runCommand } from '../../../src/cli/run-command.ts';

export const NOON = new Date('2026-11-15T12:00:00.000Z');

/** Everything that a command writes, and everything it is handed, without a process around it. */
export function commandLine(changes: Partial<CommandLineParts> = {}) {
  const {
    fetch = nobody,
    input = null,
    terminal = false,
    columns = 80,
    reach = null,
    colour = true,
  } = changes;
  const stopping = new AbortController();
  const [out, notes] = [screen(terminal, columns), screen(terminal, columns)];
  const around: Surroundings = {
    out,
    notes,
    input: { isTerminal: input === null, chunks: () => chunksOf(input ?? []) },
    settings: { server: 'http://assay.test', colour, cursor: true },
    fetch,
    now: () => NOON,
    // A moment instead of a minute, in which the network can go on.
    wait: () => new Promise((resolve) => setTimeout(resolve, 1)),
    stop: stopping.signal,
    reach: async () => {
      if (reach === null) throw new Error('nothing is looked at from here');
      return reach;
    },
  };
  return { around, stop: () => stopping.abort(), out: out.text, notes: notes.text };
}

export interface CommandLineParts {
  readonly fetch: typeof fetch;
  /** Standard input; null is a terminal at which nobody types. */
  readonly input: readonly string[] | null;
  readonly terminal: boolean;
  readonly columns: number;
  readonly colour: boolean;
  readonly reach: LocalReach | null;
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
export async function run([name = '', ...argv]: readonly string[], parts: Partial<CommandLineParts> = {}) {
  const line = commandLine(parts);
  const code = await runCommand(commandSpec(name), argv, line.around);
  return { code, out: line.out(), notes: line.notes() };
}

export function commandSpec(name: string): CommandSpec {
  const found = findCommand(name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
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
