import { describe, expect, it } from 'vitest';
import { answering, freeCheck as free, run } from '../../../test/support/running/command-line.ts';

const CHECK = '/v1/products/endpoint-spot-check';
const ID = 'sc-00010203fcfdfeff';
const URL_A = 'https://a.example/data';
const NOTHING = { claimed_price_usd: null, pay_to: null, network: null, source: null };
const receipt = (expected: object) => ({
  id: ID,
  url: URL_A,
  verdict: 'pay',
  reason: 'price_ok',
  reason_text: 'The live 402 asks $0.01.',
  expected: { ...NOTHING, ...expected },
});
const serving = (expected: object, check: object = {}) =>
  answering({
    [CHECK]: free('pay', { receipt_id: ID, ...check }),
    [`/v1/receipts/${ID}`]: receipt(expected),
  });
const LISTED = { claimed_price_usd: 0.01, source: 'listing' };

describe('a pay with nothing compared', () => {
  it('has another mark, and says so', async () => {
    const { code, out } = await run(['check', URL_A], serving({}));
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 2)).toEqual([
      '? PAY, nothing compared  price_ok',
      'The live 402 asks $0.01. Nothing was listed or claimed to compare with the price and payee of the live 402.',
    ]);
    expect((await run(['check', URL_A], serving(LISTED))).out).toMatch(
      /^✓ PAY {2}price_ok\nThe live 402 asks \$0\.01\.\n/,
    );
  });

  it('names the option of the shell where the words of the rules name a parameter', async () => {
    const reason_text = 'No claimed or listed price to compare with. Send claimed_price to compare.';
    const service = answering({ [`/v1/receipts/${ID}`]: { ...receipt({}), reason_text } });
    const { out } = await run(['receipt', ID], service);
    expect(out).toContain('\nNo claimed or listed price to compare with. Use --claimed-price to compare. ');
  });

  it('is not green', async () => {
    const { out } = await run(['check', URL_A], { ...serving({}), terminal: true });
    expect(out.startsWith('\u001b[1;33m? PAY, nothing compared\u001b[0m')).toBe(true);
  });

  it('has a line and a count of its own among many', async () => {
    const told = await run(['check', URL_A, URL_A], serving({}));
    expect(told.out).toBe(
      '? pay      https://a.example/data  nothing compared; Words of the service.\n'.repeat(2),
    );
    expect(told.notes).toBe('assay: 2 pay with nothing compared of 2\n');
  });

  it.each<[why: string, argv: readonly string[], expected: object, check: object, code: number]>([
    ['nothing', [], {}, {}, 3],
    ['nothing, by the shape of a paid check', [], LISTED, { expected_source: null }, 3],
    ['what is not known', [], LISTED, { receipt_id: null }, 3],
    ['a listing', [], LISTED, {}, 0],
    ['a listing, by the shape of a paid check', [], LISTED, { expected_source: 'listing' }, 0],
    ['a listing without terms', [], {}, { expected_source: 'listing' }, 3],
    ['a listed payee', [], {}, { expected_source: 'listing', expected_pay_to: '0xabc' }, 0],
    ['a listed network alone', [], { network: 'eip155:8453', source: 'listing' }, {}, 3],
    ['the network of the caller alone', ['--network', 'base'], {}, {}, 3],
    ['the price of the caller', ['--claimed-price', '0.01'], {}, {}, 0],
    ['the payee of the caller', ['--pay-to', '0xabc'], {}, {}, 0],
  ])('with --strict exits by what was compared: %s', async (_, argv, expected, check, code) => {
    for (const more of [[], ['--json'], ['--quiet'], [URL_A]]) {
      const told = await run(['check', '--strict', URL_A, ...argv, ...more], serving(expected, check));
      expect(told.code).toBe(code);
    }
  });

  it('costs no request that a program did not ask for', async () => {
    for (const option of ['--json', '--quiet']) {
      const service = serving({});
      expect((await run(['check', URL_A, option], service)).code).toBe(0);
      expect(service.asked).toHaveLength(1);
    }
  });
});
