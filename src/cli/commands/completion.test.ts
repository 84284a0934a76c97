import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { run } from '../../../test/support/running/command-line.ts';
import { COMMANDS } from '../command-table.ts';
import { completionFor } from './completion.ts';

/** What bash offers for the last of these words. */
function offered(lines: readonly (readonly string[])[]): string[][] {
  const asks = lines.map((words) => {
    const list = ['assay', ...words].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _assay; echo "\${COMPREPLY[*]}"`;
  });
  const script = `${completionFor('bash')}\n${asks.join('\n')}`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
}

describe('completion', () => {
  it('of bash offers commands, their options, and values of those', () => {
    const [commands, options, methods, reasons, shells, help, price, verbs, ofVerb, served, ofLog, proofs] =
      offered([
        ['s'],
        ['check', '--c'],
        ['check', '--method', ''],
        ['skips', '--reason', 'pa'],
        ['completion', ''],
        ['help', 'cr'],
        ['check', '--claimed-price', ''],
        ['guard', 'un'],
        ['guard', 'ledger', '--l'],
        ['guard', 'serve', '--'],
        ['log', ''],
        ['receipt', '--p'],
      ]);
    expect(commands).toEqual(['skips', 'serve', 'sandbox', 'seller']);
    expect(options).toEqual(['--claimed-price']);
    expect(methods).toEqual(['GET', 'POST']);
    expect(reasons).toEqual(['pay_to_mismatch', 'path_template']);
    expect(shells).toEqual(['--help', 'bash', 'zsh', 'fish']);
    expect(help).toEqual(['crawl', 'crawl-worker']);
    // A value that nobody can know: not an option in its place.
    expect(price).toEqual(['']);
    expect(verbs).toEqual(['unfreeze']);
    expect(ofVerb).toEqual(['--limit', '--ledger']);
    expect(served).toEqual(['--listen', '--policy', '--help']);
    expect(ofLog).toEqual(['check', 'key', 'export', 'epoch', '--help']);
    expect(proofs).toEqual(['--policy', '--promise']);
  });

  it.each(['bash', 'zsh', 'fish'])('of %s knows every command and option of the table', (shell) => {
    const script = completionFor(shell) ?? '';
    for (const [name, { options }] of Object.entries(COMMANDS)) {
      expect(script).toContain(name);
      for (const { flags } of options) expect(script).toContain(/--([a-z-]+)/.exec(flags)?.[1]);
    }
    // Every quote that is opened is closed, so no sentence of the table can break out of it.
    for (const line of script.split('\n')) expect((line.match(/'/g) ?? []).length % 2).toBe(0);
  });

  it('of another shell is refused', async () => {
    expect((await run(['completion', 'tcsh'])).code).toBe(2);
    expect((await run(['completion', 'bash'])).out).toBe(completionFor('bash'));
  });
});
