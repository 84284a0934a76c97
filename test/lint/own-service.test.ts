import { describe, expect, it } from 'vitest';
import { createLintOutbound } from '../../src/main/commands/lint-outbound.ts';
import { LOOKUP_PAID, PACK, useService } from '../support/asking.ts';
import { run } from '../support/running/command-line.ts';
import { WALLET } from '../support/running/running-service.ts';

/** We sell, too: what we tell other sellers holds for us. */
describe('our own paid routes', () => {
  const service = useService({ door: 'socket' });

  it.each<[string, string, string, readonly string[]]>([
    ['the lookup', `${LOOKUP_PAID}?task=weather`, '0.02', ['note no_version_1', 'note payer_x402_fetch_v1']],
    // More than the limits of two payers, unless their users raise them.
    ['the pack', PACK, '9', ['note no_version_1', 'note payer_x402_fetch', 'note payer_x402_fetch_v1']],
  ])('%s has no error and no warning', async (_, path, price, found) => {
    const argv = [
      '--allow-local',
      '--format',
      'json',
      '--price',
      price,
      '--payee',
      WALLET,
      '--network',
      'base',
    ];
    const { code, out } = await run(['lint', ...argv, `${service.address}${path}`], {
      lintOutbound: createLintOutbound('local'),
    });
    const { verdict, findings } = JSON.parse(out);
    expect([code, verdict]).toEqual([0, 'pay']);
    expect(findings.map(({ level, check }: { level: string; check: string }) => `${level} ${check}`)).toEqual(
      found,
    );
  });
});
