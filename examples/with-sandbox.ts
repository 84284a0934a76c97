import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]+$/)]);

/** What the sandbox says about itself in its first line, as far as the examples need it. */
const sandboxFacts = z.object({
  base_url: z.url(),
  rpc_url: z.url(),
  usdc: hex,
  pay_to: hex,
  buyer_keys: z.array(hex),
  sellers: z.record(z.string(), z.url()),
});

export type Sandbox = z.infer<typeof sandboxFacts>;

/** No example takes longer, or something hangs. */
const PATIENCE_MS = 30_000;
const PROGRAM = fileURLToPath(new URL('../../dist/bundle/node/sandbox.js', import.meta.url));

/**
 * Runs an example against a sandbox: Assay, sellers, a facilitator and a chain with play money, all on this machine. It starts
 * one of its own and stops it in the end. Give the file with the first line of a running one to use that instead.
 */
export async function withSandbox(example: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const impatience = setTimeout(() => {
    console.error(`gave up after ${PATIENCE_MS / 1_000} seconds`);
    process.exit(1);
  }, PATIENCE_MS);
  const running = process.argv[2];
  if (running === undefined) await withOwnSandbox(example);
  else await example(readFacts(readFileSync(running, 'utf8').split('\n', 1)[0]));
  clearTimeout(impatience);
}

/** The address of one of the sandbox's sellers. */
export function sellerNamed({ sellers }: Sandbox, name: string): string {
  const url = sellers[name];
  if (url === undefined) throw new Error(`no seller ${name}, only ${Object.keys(sellers).join(', ')}`);
  return url;
}

/** Each example spends the money of another buyer, so that they can run side by side. */
export function buyerKey({ buyer_keys }: Sandbox, number: number): `0x${string}` {
  const key = buyer_keys[number];
  if (key === undefined) throw new Error(`no buyer ${number}, only ${buyer_keys.length}`);
  return key;
}

async function withOwnSandbox(example: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  if (!existsSync(PROGRAM)) throw new Error('there is no sandbox to start: run `npm run build` first');
  const program = spawn(process.execPath, [PROGRAM, '--port', '0', '--json', '--bare'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(program, 'exit');
  // However this process ends, nothing that it started stays behind.
  process.once('exit', () => program.kill('SIGKILL'));
  process.once('SIGTERM', () => process.exit(1));
  try {
    const lines = createInterface(program.stdout);
    const [line] = await Promise.race([once(lines, 'line'), ended.then(() => [])]);
    await example(readFacts(line));
  } finally {
    program.kill('SIGTERM');
    await ended;
  }
}

function readFacts(line: unknown): Sandbox {
  if (typeof line !== 'string') throw new Error('the sandbox ended before it said where it is');
  return sandboxFacts.parse(JSON.parse(line));
}
