import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteKeyText } from '../../../src/core/log/note.ts';
import { type LogTree, logWorld, ORIGIN, policyOf } from '../../support/log/log-world.ts';
import { seededSigner } from '../../support/log/seeded-signer.ts';
import { type ServedLog, serveWorld } from '../../support/log/serve-world.ts';
import { type VerifyingClient, verifyingClient } from '../../support/log/verifying-cli.ts';

const WITNESS = seededSigner('w1.example', 4);

let world: LogTree;
let served: ServedLog;
let client: VerifyingClient;
/** Of the first five entries. */
let older: string;
beforeEach(async () => {
  world = logWorld();
  for (let n = 0; n < 5; n += 1) world.addReceipt(n);
  older = world.note();
  for (let n = 5; n < 10; n += 1) world.addReceipt(n);
  served = await serveWorld(world);
  client = verifyingClient(() => served.address);
});
afterEach(async () => {
  await served.close();
  client.remove();
});

const saved = (name: string, text: string) => {
  const file = join(client.folder, name);
  writeFileSync(file, text);
  return file;
};
async function checked(...more: string[]) {
  const { code, out } = await client.check(...more);
  const { trees, faults } = JSON.parse(out);
  return { code, size: trees[0].size, faults: faults.map(({ kind }: { kind: string }) => kind) };
}

describe('assay log check of a log that shows an older checkpoint than before', () => {
  it('reads the entries of the remembered one as well', async () => {
    expect(await checked()).toEqual({ code: 0, size: 10, faults: [] });
    served.lies.set('/log/checkpoint', older);
    expect(await checked()).toEqual({ code: 0, size: 10, faults: [] });
    world.lines.splice(7, 1, 'null');
    expect(await checked()).toEqual({ code: 6, size: 10, faults: ['statement_withheld'] });
  });

  it('reads those of the checkpoint that somebody kept', async () => {
    const file = saved('checkpoint', world.note());
    served.lies.set('/log/checkpoint', older);
    world.lines.splice(7, 1, 'null');
    expect(await checked('--since', file)).toMatchObject({ code: 6, faults: ['statement_withheld'] });
  });

  it('does not take what another policy has trusted for the log', async () => {
    await client.check();
    const next = seededSigner(ORIGIN, 1, 'the next key');
    world = logWorld({ signers: [next] });
    for (let n = 0; n < 5; n += 1) world.addReceipt(n);
    const shown = world.note();
    for (let n = 5; n < 10; n += 1) world.addReceipt(n);
    served.show(world);
    served.lies.set('/log/checkpoint', shown);
    expect(await checked('--policy', saved('policy', policyOf([world])))).toEqual({
      ...{ code: 0, size: 5, faults: [] },
    });
  });

  it('takes the checkpoint that is shown where it has as many entries: it may be cosigned by now', async () => {
    const policy = saved('policy', policyOf([world], `witness w ${noteKeyText(WITNESS.key)}\nquorum w\n`));
    expect((await checked('--policy', policy)).code).toBe(3);
    const cosigned = logWorld({ cosigners: [WITNESS] });
    for (let n = 0; n < 10; n += 1) cosigned.addReceipt(n);
    served.show(cosigned);
    expect((await checked('--policy', policy)).code).toBe(0);
  });
});
