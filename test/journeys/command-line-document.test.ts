import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../dist/main/assay.js', import.meta.url));
const DOCUMENT = new URL('../../docs/command-line.md', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'assay-document-'));
afterAll(() => rmSync(folder, { recursive: true }));

writeFileSync(join(folder, 'assay'), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
chmodSync(join(folder, 'assay'), 0o755);

/** Every command of the document's console blocks, with what is printed below it. */
const COMMANDS = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^```console\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
  .map((text): [string, string] => {
    const [command = '', ...printed] = text.split('\n');
    return [command, printed.join('\n')];
  });

it('the document has commands', () => {
  expect(COMMANDS.length).toBeGreaterThan(5);
});

it.each(COMMANDS)('%s', (command, printed) => {
  const env = { PATH: `${folder}:${process.env['PATH']}`, HOME: folder };
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { env, cwd: folder, encoding: 'utf8' });
  expect(stdout + stderr).toBe(printed);
});
