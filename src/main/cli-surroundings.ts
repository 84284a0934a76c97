import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalReach, Screen, Surroundings } from '../cli/command-context.ts';
import { readCliConfig } from './cli-config.ts';

const COLUMNS = 80;

/** This terminal, this machine, this network. */
export function realSurroundings(stop: AbortSignal): Surroundings {
  const settings = readCliConfig();
  return {
    out: screenOf(process.stdout),
    notes: screenOf(process.stderr),
    input: { isTerminal: process.stdin.isTTY === true, chunks: () => chunksOf(process.stdin, stop) },
    settings,
    fetch,
    now: () => new Date(),
    wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => {}),
    stop,
    reach: () => localReach(settings.server),
  };
}

function screenOf(stream: NodeJS.WriteStream): Screen {
  return {
    isTerminal: stream.isTTY === true,
    // Asked anew each time: a window can change its size.
    get columns() {
      return stream.isTTY === true && stream.columns > 0 ? stream.columns : COLUMNS;
    },
    write: (text) => {
      stream.write(text);
    },
  };
}

/** Whoever is stopped waits for no more input. */
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

/** The public web and nothing else, as for the service; no option leads past it. */
async function localReach(server: string): Promise<LocalReach> {
  const [{ reachBy, reachPublicWeb }, { packageVersion }] = await Promise.all([
    import('./build/outbound.ts'),
    import('./build/runtime.ts'),
  ]);
  const version = packageVersion();
  const own = { ownAddresses: [], altUrl: null, legacyUrl: null, baseUrl: server, version };
  // There is no page to read about a person who checks, so no address of one is sent.
  return reachBy({ ...reachPublicWeb(own), userAgent: `Assay-CLI/${version}` });
}
