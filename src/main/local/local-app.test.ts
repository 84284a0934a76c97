import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readLocalConfig } from '../config/local-config.ts';
import { createLocalApp, fixFor } from './local-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-local-'));
afterAll(() => rmSync(folder, { recursive: true }));

function localApp(dataDir: string) {
  const reading = readLocalConfig({ DATA_DIR: dataDir });
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  return createLocalApp(reading.config);
}
const ask = (app: ReturnType<typeof localApp>, target: string) =>
  app.ask({ target, paymentSignature: null, xPayment: null });

it('counts no lookup and no check, and is asked as often as its user likes', async () => {
  const app = localApp(folder);
  for (let call = 0; call < 8; call += 1) {
    const { status, text } = await ask(app, '/v1/lookup?task=weather');
    expect([status, JSON.parse(text).access.tier]).toEqual([200, 'exempt']);
  }
  for (let call = 0; call < 3; call += 1) {
    const { status, text } = await ask(app, '/v1/products/endpoint-spot-check?url=http://127.0.0.1:1/');
    expect([status, JSON.parse(text)]).toMatchObject([400, { code: 'ssrf_blocked', type: 'about:blank' }]);
  }
  await app.close();
});

it('has a second try when the first one found no place for its state', async () => {
  const app = localApp('/dev/null/x');
  for (let call = 0; call < 2; call += 1) expect((await ask(app, '/v1/tasks')).status).toBe(503);
  await app.close();
});

it.each([
  [
    'database is locked',
    'Another process has the store in /a locked: stop it, or set DATA_DIR to another folder.',
  ],
  ['EACCES', 'Make /a writable, or set DATA_DIR to another folder.'],
])('%s has a way out', (cause, fix) => {
  expect(fixFor(new Error('cannot open it', { cause: new Error(cause) }), '/a')).toBe(fix);
});
