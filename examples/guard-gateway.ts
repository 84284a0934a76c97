/**
 * A payer in another language behind the gateway of the guard: examples/guard_gateway.py signs by itself and has never heard of
 * the guard. Where there is no Python, curl sends a payment that was signed here.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { projectFile } from '../tools/project-file.ts';
import { listedPayee } from './listed-payee.ts';
import { lookAtChain } from './look-at-chain.ts';
import { buyerKey, sellerNamed, withSandbox } from './with-sandbox.ts';

await withSandbox(async (sandbox) => {
  const { balanceOf } = lookAtChain(sandbox);
  const key = buyerKey(sandbox, 4);
  const { address } = privateKeyToAccount(key);
  const before = await balanceOf(address);
  const [honest, swapped] = [sellerNamed(sandbox, 'honest'), sellerNamed(sandbox, 'swapped-payee')];
  await withGateway({ [swapped]: { payTo: await listedPayee(sandbox) } }, async (gateway) => {
    const buy = await clientOf(gateway, key);

    const bought = await buy(honest);
    console.log(`1. ${bought}`);
    assert.match(bought, /^200 \{/);
    assert.equal(before - (await balanceOf(address)), 10_000n);

    // The buyer's list names another payee: nothing is sent, and the client learns why.
    const refused = await buy(swapped);
    console.log(`2. ${refused}`);
    assert.match(refused, /^403 .*"code":"pay_to_mismatch"/);
    assert.equal(before - (await balanceOf(address)), 10_000n);
    console.log('one payment was made, of 0.01 USD');
  });
});

/** Runs `assay guard serve` with a policy of its own, and stops it in the end. */
async function withGateway(expect: object, use: (gateway: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'guard-gateway-'));
  const policy = join(folder, 'policy.json');
  const limits = { perPayment: '0.10', perDay: '1' };
  writeFileSync(policy, JSON.stringify({ ledger: join(folder, 'purchases.db'), limits, expect }));
  const words = ['guard', 'serve', '--policy', policy, '--listen', '127.0.0.1:0'];
  const program = spawn(process.execPath, [projectFile('dist/bundle/node/assay.js'), ...words], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const ended = once(program, 'exit');
  process.once('exit', () => program.kill('SIGKILL'));
  try {
    const lines = createInterface(program.stderr);
    const [line] = await Promise.race([once(lines, 'line'), ended.then(() => [''])]);
    // What the gateway says from here on is one line for each decision.
    lines.on('line', (decision) => console.log(`   ${decision}`));
    const [gateway] = /http:\/\/[0-9.]+:[0-9]+/.exec(String(line)) ?? [];
    assert.ok(gateway !== undefined, `the gateway does not listen: ${line}`);
    await use(gateway);
  } finally {
    program.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  }
}

type Buy = (seller: string) => Promise<string>;

async function clientOf(gateway: string, key: Hex): Promise<Buy> {
  const python = await run('python3', ['--version']);
  if (python !== null) {
    const client = projectFile('examples/guard_gateway.py');
    return async (seller) =>
      (await run('python3', ['-B', client, gateway, seller], { BUYER_KEY: key })) ?? '';
  }
  console.log('there is no python3 here, so curl sends what Node signs');
  const { buyWithCurl } = await import('./buy-with-curl.ts');
  return (seller) => buyWithCurl(`${gateway}/${seller}`, key, (words) => run('curl', words));
}

/** What a program prints, on one line; null when it cannot be started or fails. */
async function run(command: string, words: readonly string[], more: object = {}): Promise<string | null> {
  const child = spawn(command, words, {
    env: { ...process.env, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const code = new Promise<number | null>((resolve) =>
    child.once('error', () => resolve(1)).once('close', resolve),
  );
  const said = await text(child.stdout).catch(() => '');
  return (await code) === 0 ? said.trim() : null;
}
