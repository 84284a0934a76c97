import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { projectFile } from '../../tools/project-file.ts';
import { startFlags } from '../../tools/start-flags.ts';

it('what is measured, the image and the unit are started with the flags of npm start', () => {
  const flags = startFlags();
  expect(flags).toEqual(['--v8-pool-size=1', '--max-semi-space-size=32', '--heap-growing-percent=200']);
  expect(readFileSync(projectFile('deploy/Dockerfile'), 'utf8')).toContain(
    `ENTRYPOINT ["node", ${flags.map((flag) => `"${flag}"`).join(', ')}, "/opt/assay/dist/bundle/node/assay.js"]`,
  );
  expect(readFileSync(projectFile('deploy/systemd/assay.service'), 'utf8')).toContain(
    `ExecStart=/usr/bin/node ${flags.join(' ')} /opt/assay/node_modules/.bin/assay serve`,
  );
});
