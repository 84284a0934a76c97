import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type NoteKey, noteKeyText } from '../../../src/core/log/note.ts';
import { readConfig } from '../../../src/main/config/config.ts';
import { vantageClient } from '../../../src/main/vantage/service-vantages.ts';
import { seededSigner } from '../../support/log/seeded-signer.ts';
import { examined, newFolder, SECRET } from '../../support/operating/examining.ts';
import { vantage } from '../../support/vantage/asking-vantages.ts';

const OURS = keyOfService();

function keyOfService(): NoteKey {
  const reading = readConfig({});
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  return vantageClient(reading.config, SECRET).key;
}

async function look(key: NoteKey, url: string) {
  const file = join(newFolder(), 'vantages');
  writeFileSync(file, `vantage oslo ${noteKeyText(key)} ${url}\nquorum 1\n`);
  return (await examined({ SECRET, VANTAGES: file }))('vantage oslo');
}

it('is content with a vantage that knows us, and has it contact nobody', async () => {
  const oslo = await vantage('oslo', { clients: [OURS] });
  expect(await look(oslo.listed.key, oslo.listed.url)).toMatchObject({
    status: 'ok',
    says: 'answers under its key and knows ours',
  });
  expect([oslo.requests, oslo.dialled, oslo.resolved]).toEqual([[], [], []]);
});

it('finds one that does not know us, one under another key, and one that is away', async () => {
  const stranger = await vantage('oslo', { clients: [seededSigner('other.example/vantages').key] });
  expect(await look(stranger.listed.key, stranger.listed.url)).toMatchObject({
    status: 'failure',
    says: expect.stringMatching(/^refuses our requests/),
    fix: expect.stringContaining('assay vantage-key'),
  });
  const oslo = await vantage('oslo', { clients: [OURS] });
  // The same name with another key.
  const expectedKey = seededSigner('oslo.example/v', 1, 'another seed').key;
  expect(await look(expectedKey, oslo.listed.url)).toMatchObject({
    status: 'failure',
    says: 'answers under another key',
  });
  expect(await look(oslo.listed.key, 'http://127.0.0.1:1')).toMatchObject({
    status: 'failure',
    says: 'cannot be reached',
  });
});

it('finds clocks that differ', async () => {
  const late = await vantage('oslo', { clients: [OURS], now: () => new Date(Date.now() - 120_000) });
  expect((await look(late.listed.key, late.listed.url)).says).toContain('the clocks differ');
});

it('says that nobody is asked, and what is wrong with the file', async () => {
  expect((await examined({ SECRET }))('vantages')).toMatchObject({ status: 'off' });
  const file = join(newFolder(), 'vantages');
  writeFileSync(file, 'vantage oslo\n');
  expect((await examined({ SECRET, VANTAGES: file }))('vantages')).toMatchObject({
    status: 'failure',
    says: expect.stringContaining('line 1'),
  });
});
