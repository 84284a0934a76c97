import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readServer } from '../../cli/ask/ask-service.ts';
import { ASK_COMMANDS, type AskName } from '../../cli/ask-commands.ts';
import type { CommandContext, Screen } from '../../cli/command-context.ts';
import { EXIT } from '../../cli/exit-code.ts';
import { runCommand } from '../../cli/run-command.ts';
import { environment } from '../config/config.ts';
import { readTerminal } from '../config/terminal-settings.ts';
import { askFaultText } from './ask-fault-text.ts';

/** As a shell reports a process that a signal has ended. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;
const BROKEN_PIPE = 141;
/** Their exit code is a verdict: a reader that went away must not look like `pay`, nor a fault of ours like `skip`. */
const VERDICTS: ReadonlySet<AskName> = new Set(['check', 'lint', 'receipt', 'log check', 'seller retest']);

/** Runs a command that asks a service, on this terminal. Returns the exit code. */
export async function runAskCommand(name: AskName, argv: readonly string[]): Promise<number> {
  const isVerdict = VERDICTS.has(name);
  const failed = isVerdict ? EXIT.unreachable : EXIT.failed;
  exitOnBrokenPipe(isVerdict ? BROKEN_PIPE : EXIT.done, failed);
  const stopping = new AbortController();
  const stopped: { code?: number } = {};
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      // The second signal does not wait for anything.
      if (stopping.signal.aborted) process.exit(code);
      stopped.code = code;
      stopping.abort();
    });
  }
  const context = terminalContext(stopping.signal);
  const print = (text: string) => context.out.write(`${text}\n`);
  const note = (line: string) => context.notes.write(`${line}\n`);
  try {
    const command = await ASK_COMMANDS[name]();
    const code = await runCommand(name, argv, { print, note, run: (given) => command(given, context) });
    // Requests in flight would keep the process alive.
    if (stopped.code !== undefined) process.exit(stopped.code);
    return code;
  } catch (fault) {
    note(`assay: ${askFaultText(fault)}`);
    return failed;
  }
}

/** In `assay skips | head -1` the reader leaves early, which is not an error. */
function exitOnBrokenPipe(code: number, failed: number): void {
  process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
    if (fault.code === 'EPIPE') process.exit(code);
    process.stderr.write(`assay: the result cannot be written (${fault.code})\n`);
    process.exit(failed);
  });
  process.stderr.on('error', () => {});
}

function terminalContext(stop: AbortSignal): CommandContext {
  const settings = readSettings();
  return {
    out: screenOf(process.stdout),
    notes: screenOf(process.stderr),
    input: { isTerminal: process.stdin.isTTY === true, chunks: () => chunksOf(process.stdin, stop) },
    settings,
    fetch,
    now: () => new Date(),
    wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => {}),
    stop,
    outbound: async () =>
      (await import('../local/local-outbound.ts')).createLocalOutbound(serverOf(settings.server)),
    askHere,
    lintOutbound: async (gate) => (await import('./lint-outbound.ts')).createLintOutbound(gate),
  };
}

const SERVER = 'http://127.0.0.1:4402';

function readSettings(): CommandContext['settings'] {
  const { ASSAY_SERVER = '', ASSAY_KEY = '', ASSAY_GUARD = '', XDG_CONFIG_HOME = '' } = environment();
  return {
    server: ASSAY_SERVER === '' ? SERVER : ASSAY_SERVER,
    key: ASSAY_KEY,
    ...readTerminal(environment()),
    guardPolicy: ASSAY_GUARD,
    configFolder: isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homedir(), '.config'),
  };
}

const COLUMNS = 80;

function screenOf(stream: NodeJS.WriteStream): Screen {
  return {
    isTerminal: stream.isTTY === true,
    // Read on every use: the window can be resized.
    get columns() {
      return stream.isTTY === true && stream.columns > 0 ? stream.columns : COLUMNS;
    },
    write: (text) => {
      stream.write(text);
    },
  };
}

/** Ends with the input, or with `stop`. */
async function* chunksOf(stream: NodeJS.ReadStream, stop: AbortSignal): AsyncGenerator<Uint8Array> {
  const end = () => stream.destroy();
  stop.addEventListener('abort', end, { once: true });
  try {
    if (!stop.aborted) for await (const chunk of stream) yield Buffer.from(chunk);
  } catch (fault) {
    if (!stop.aborted) throw fault;
  } finally {
    stop.removeEventListener('abort', end);
  }
}

/** A server that cannot be read is refused before this matters. */
function serverOf(server: string): string {
  return readServer(server) ?? SERVER;
}

async function askHere(target: string): Promise<{ readonly status: number; readonly text: string }> {
  const [{ createLocalApp }, { readLocalConfig }] = await Promise.all([
    import('../local/local-app.ts'),
    import('../config/local-config.ts'),
  ]);
  const reading = readLocalConfig();
  if (reading.kind === 'invalid') throw new Error(`invalid setting: ${reading.problem}`);
  const app = createLocalApp(reading.config);
  try {
    return await app.ask({ target, paymentSignature: null, xPayment: null });
  } finally {
    await app.close();
  }
}
