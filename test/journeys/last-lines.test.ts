import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { projectFile } from '../../tools/project-file.ts';

const run = promisify(execFile);
const LOG = projectFile('dist/adapters/system/log.js');
const PROGRAM = `const { createLog } = await import(${JSON.stringify(LOG)}); createLog('info').info('the last line');`;

// A line that another thread would have to write is lost in some of the ends only.
it('a process that ends has written its last lines', async () => {
  const ends = Array.from({ length: 20 }, () =>
    run(process.execPath, ['--input-type=module', '--eval', PROGRAM]),
  );
  const said = (await Promise.all(ends)).map(({ stdout }) => stdout);
  expect(said.filter((text) => text.includes('"msg":"the last line"'))).toHaveLength(20);
});
