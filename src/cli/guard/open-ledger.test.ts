import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../test/support/running/command-line.ts';
import type { AskName } from '../ask-commands.ts';

describe('a ledger', () => {
  const place = mkdtempSync(join(tmpdir(), 'assay-guard-none-'));
  afterAll(() => rmSync(place, { recursive: true }));
  const missing = join(place, 'none', 'purchases.db');

  it.each<readonly [name: AskName, id: readonly string[]]>([
    ['guard ledger', []],
    ['guard open', []],
    ['guard show', ['pur_00000000']],
    ['guard evidence', ['pur_00000000']],
  ])('that does not exist is one line, and is not made by %s', async (name, id) => {
    expect(await run([name, ...id, '--ledger', missing])).toEqual({
      code: 1,
      out: '',
      notes: `assay: there is no ledger ${missing}; --ledger names another one\n`,
    });
    expect(existsSync(join(place, 'none'))).toBe(false);
  });

  it('can be frozen before its first purchase', async () => {
    expect((await run(['guard freeze', '--ledger', missing])).code).toBe(0);
    expect(existsSync(`${missing}.frozen`)).toBe(true);
  });

  it('is that of the policy in ASSAY_GUARD unless another is named', async () => {
    const policy = join(place, 'policy.json');
    const ledger = join(place, 'of-the-policy.db');
    writeFileSync(policy, JSON.stringify({ ledger, limits: { perPayment: '1', perDay: '1' } }));
    expect((await run(['guard open'], { guardPolicy: policy })).notes).toContain(ledger);
    expect((await run(['guard open', '--ledger', missing], { guardPolicy: policy })).notes).toContain(
      missing,
    );
    writeFileSync(policy, '{');
    expect(await run(['guard open'], { guardPolicy: policy })).toEqual({
      code: 1,
      out: '',
      notes: `assay: the policy file ${policy} is not JSON\n`,
    });
  });

  it('of a policy counts from the folder of the policy', async () => {
    const policy = join(place, 'beside.json');
    const limits = { perPayment: '1', perDay: '1' };
    writeFileSync(policy, JSON.stringify({ ledger: 'beside.db', limits }));
    expect((await run(['guard freeze'], { guardPolicy: policy })).code).toBe(0);
    expect(existsSync(join(place, 'beside.db.frozen'))).toBe(true);
  });

  it('that is something else is one line', async () => {
    const other = join(place, 'other.db');
    writeFileSync(other, 'x'.repeat(4_096));
    expect(await run(['guard ledger', '--ledger', other])).toEqual({
      code: 1,
      out: '',
      notes: `assay: the ledger ${other}: it is no SQLite file\n`,
    });
    mkdirSync(join(place, 'folder.db'));
    expect((await run(['guard ledger', '--ledger', join(place, 'folder.db')])).code).toBe(1);
  });
});
