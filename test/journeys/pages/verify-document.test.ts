import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFile } from '../../../tools/project-file.ts';
import { startService, type TestService } from '../../support/running/running-service.ts';

const read = (path: string) => readFileSync(projectFile(`${path}`), 'utf8');
const PROGRAM = projectFile('dist/bundle/node/assay.js');
const [VALUES = '', ...COMMANDS] = [...read('docs/verify.md').matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, block = '']) => block,
);

describe('docs/verify.md', () => {
  let service: TestService;
  let folder: string;
  let id: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assay-walk-'));
    writeFileSync(join(folder, 'assay'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`, {
      mode: 0o755,
    });
    service = await startService({ door: 'socket' });
    const url = encodeURIComponent('https://seller.example/ok');
    for (let n = 0; n < 3; n += 1)
      await service.ask(`/v1/products/endpoint-spot-check?url=${url}&dry_run=true`);
    const { json } = await service.ask(`/v1/products/endpoint-spot-check?url=${url}`);
    id = json.receipt_id;
    await service.logKeeper.round();
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  /** All blocks in one shell, as a reader types them; each is followed by a line of its own. */
  const walk = async (blocks: readonly string[]) => {
    const script = [
      `SERVER=${service.address}`,
      `ID=${id}`,
      ...blocks.flatMap((block, at) => [block, `echo "== ${at}"`]),
    ];
    const env = { PATH: `${folder}:${process.env['PATH']}`, HOME: folder };
    const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script.join('\n')], {
      cwd: folder,
      env,
    });
    const [out, complaints, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    return { out, complaints, code };
  };

  it('has values to put in, and commands that work as they are printed', async () => {
    expect(VALUES).toMatch(/^SERVER=\S+\nID=sc-[0-9a-f]{16}\n$/);
    const { out, complaints, code } = await walk(COMMANDS);
    expect({ complaints, code }).toEqual({ complaints: '', code: 0 });
    const parts = out.split(/== \d+\n/);
    expect(parts[0]).toMatch(
      /statement +hashes to the entry +ok\n[\s\S]*rules +version 6 gives [a-z]+, [a-z_]+ again +ok/,
    );
    expect(parts[1]).toMatch(/memory +is the checkpoint that is remembered \(size \d+\) +ok/);
    expect(parts[2]).toMatch(/\nsound\n/);
    const [hash = ''] = (parts[3] ?? '').split(' ');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(parts[4]).toContain(Buffer.from(hash, 'hex').toString('base64'));
    expect(parts[5]).toBe('Signature Verified Successfully\n');
    expect(readFileSync(join(folder, 'receipt.tlog-proof'), 'utf8')).toMatch(
      /^c2sp\.org\/tlog-proof@v1\nindex \d+\n/,
    );
    expect(parts[6]).toMatch(/^[0-9a-f]{64} /);
  });
});
