import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readLocalConfig } from './local-config.ts';

const HOME = join(homedir(), '.local', 'share', 'assay');

it.each<[string, NodeJS.ProcessEnv, folder: string]>([
  ['in the home folder', {}, HOME],
  ['where XDG says', { XDG_DATA_HOME: '/var/x' }, '/var/x/assay'],
  ['at home where XDG is not a whole path, as its specification says', { XDG_DATA_HOME: 'x' }, HOME],
  ['where it is told', { DATA_DIR: '/srv/a', XDG_DATA_HOME: '/var/x' }, '/srv/a'],
  ['at home when it is told nothing', { DATA_DIR: '' }, HOME],
])('the state of a person is %s', (_, variables, folder) => {
  const reading = readLocalConfig(variables);
  expect(reading.kind === 'config' && reading.config.dataDir).toBe(folder);
});

it('takes nothing else from the project that it runs in', () => {
  const reading = readLocalConfig({
    ...{
      PORT: 'x',
      BASE_URL: 'https://app.example',
      DATABASE_URL: 'postgres://app',
      SECRET: 'of-another-program',
    },
  });
  expect(reading).toMatchObject({
    kind: 'config',
    config: { databaseUrl: null, baseUrl: null, secret: null },
  });
});
