import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const OUTPUT_MAX_BYTES = 2 ** 26;
const POLL_MS = 50;
/** For what never happens: a machine may be slow. */
const PATIENCE_MS = 120_000;

/** What one part of the trial found out. The first check that fails ends it. */
export interface Trial {
  check(what: string, holds: boolean, found?: unknown): void;
  measured(what: string, value: string): void;
}

export const TRIAL: Trial = {
  check(what, holds, found = '') {
    if (!holds) throw new Error(`${what}: found ${String(found)}`);
    console.log(`ok        ${what}`);
  },
  measured: (what, value) => console.log(`measured  ${what}: ${value}`),
};

/** Throws one line when a program is missing: a trial that did not happen is not a success. */
export function needTools(tools: Readonly<Record<string, string>>): void {
  const missing = Object.keys(tools).filter((name) => spawnSync(name, ['--version']).error !== undefined);
  if (missing.length === 0) return;
  throw new Error(
    `${missing.join(', ')} not found; on Debian: apt-get install ${missing.map((name) => tools[name]).join(' ')}`,
  );
}

export async function output(
  command: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await execute(command, [...argv], {
    env: { ...process.env, ...env },
    maxBuffer: OUTPUT_MAX_BYTES,
  });
  return stdout.trim();
}

/** At the end of a trial; what is gone already is no fault. */
export function discard(command: string, argv: readonly string[]): void {
  try {
    execFileSync(command, [...argv], { stdio: 'ignore' });
  } catch {
    // Never started, or ended by itself.
  }
}

export async function until<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await ask().catch(() => null);
    if (found !== null) return found;
    if (Date.now() > end) throw new Error(`${what}: not within ${PATIENCE_MS / 1_000} seconds`);
    await sleep(POLL_MS);
  }
}

export interface TlsRequest {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly address?: string;
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** In PEM; the certificate has to be one of these. */
  readonly ca: string;
}

export interface TlsResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** A new connection each time, to an address of our own under the name of the site. */
export function askOverTls({ host, port, path, ca, ...rest }: TlsRequest): Promise<TlsResponse> {
  const { address = '127.0.0.1', from, headers = {}, body } = rest;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: address,
        port,
        path,
        ca,
        servername: host,
        agent: false,
        method: body === undefined ? 'GET' : 'POST',
        headers: { host, ...headers },
        ...(from === undefined ? {} : { localAddress: from }),
      },
      (response) => {
        text(response).then(
          (got) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: got }),
          reject,
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
