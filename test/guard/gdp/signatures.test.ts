import { describe, expect, it } from 'vitest';
import {
  CHAINS,
  codeOf,
  entryOf,
  type GdpChain,
  gdpDriver,
  SHOP,
} from '../../support/guarding/gdp-driver.ts';

const [EVM, SOLANA] = CHAINS;

describe.each(CHAINS.map((chain) => [chain.name, chain] as const))(
  'a signature in GDP on %s',
  (_name, chain) => {
    const approved = () => {
      const driver = gdpDriver(chain);
      driver.hello();
      expect(driver.pay([entryOf(chain)])).toMatchObject({ decision: 'allow', accept_index: 0 });
      return driver;
    };

    it('is allowed once for what was approved', () => {
      const driver = approved();
      expect(driver.sign(entryOf(chain))).toEqual({ id: 2, decision: 'allow' });
      expect(driver.sign(entryOf(chain))).toEqual({
        id: 3,
        decision: 'deny',
        reason:
          'something_else_was_signed: The payment that was signed is not one that was approved; it was not sent.',
      });
    });

    it.each<[string, object]>([
      ['another payee', { to: chain.thief, to_token_account: chain.thief }],
      ['another amount', { amount_atomic: '20001' }],
      ['another token', { asset: chain.otherToken }],
      ['another network', { network: chain.mainnet.network }],
      ['another wallet', { from: chain.thief }],
      ['an authority that is given away', { authority_grant: true }],
      ['something that is not valid', { valid: false }],
    ])('is denied for %s', (_what, changes) => {
      expect(codeOf(approved().sign(entryOf(chain), changes))).toBe('something_else_was_signed');
    });

    it('is denied with a second transfer beside it, and with none', () => {
      const withThief = (leg: object) => [leg, { ...leg, to: chain.thief }];
      expect(codeOf(approved().sign(entryOf(chain), {}, withThief))).toBe('something_else_was_signed');
      expect(codeOf(approved().sign(entryOf(chain), {}, () => []))).toBe('something_else_was_signed');
    });

    it('is denied when nothing was approved', () => {
      const driver = gdpDriver(chain);
      driver.hello();
      expect(codeOf(driver.sign(entryOf(chain)))).toBe('something_else_was_signed');
    });

    it('counts what it signed, whatever the history says', () => {
      const driver = approved();
      driver.sign(entryOf(chain));
      expect(codeOf(driver.pay([entryOf(chain)]))).toBe('bought_already');
      const more = (path: string) =>
        driver.pay([entryOf(chain, { amount: '30001' })], { url: `${SHOP}/${path}` });
      expect(codeOf(more('dear'))).toBe('over_task_limit');
    });

    it('is allowed once for a request that was approved twice before', () => {
      const driver = approved();
      expect(driver.pay([entryOf(chain)])).toMatchObject({ decision: 'allow' });
      expect(driver.sign(entryOf(chain))).toMatchObject({ decision: 'allow' });
      expect(codeOf(driver.sign(entryOf(chain)))).toBe('something_else_was_signed');
    });

    it('is denied above the budget, also for what was approved before the others were signed', () => {
      const driver = approved();
      for (const path of ['second', 'third']) {
        expect(driver.pay([entryOf(chain)], { url: `${SHOP}/${path}` })).toMatchObject({ decision: 'allow' });
      }
      for (const _ of ['first', 'second']) {
        expect(driver.sign(entryOf(chain))).toMatchObject({ decision: 'allow' });
      }
      expect(codeOf(driver.sign(entryOf(chain)))).toBe('over_task_limit');
    });
  },
);

describe('the lifetime of an authorization', () => {
  it.each([
    [900, 0],
    [901, 'bad_challenge'],
    [960, 'bad_challenge'],
    [31_536_000, 'bad_challenge'],
  ])('of %i seconds', (maxTimeoutSeconds, end) => {
    expect(bought(EVM, [{ maxTimeoutSeconds }])).toBe(end);
  });

  it('is looked at before the price: a cheaper one that lives too long is not paid', () => {
    expect(bought(EVM, [{ maxTimeoutSeconds: 960, amount: '1' }, {}])).toBe(1);
  });

  it('does not concern Solana, where a transaction expires with its block', () => {
    expect(bought(SOLANA, [{ maxTimeoutSeconds: 3_600 }])).toBe(0);
  });

  it.each<[string, object]>([
    ['in the decoded leg', { authorization_seconds: 901 }],
    ['in the typed data', { validBefore: '1795004101' }],
    ['that cannot be read', { validBefore: 'never' }],
  ])('is checked again when it is signed: %s', (_what, changes) => {
    if (EVM === undefined) throw new Error('there is no such chain');
    const driver = gdpDriver(EVM);
    driver.hello();
    driver.pay([entryOf(EVM)]);
    expect(codeOf(driver.sign(entryOf(EVM), changes))).toBe('something_else_was_signed');
  });
});

function bought(chain: GdpChain | undefined, entries: readonly object[]): string | number {
  if (chain === undefined) throw new Error('there is no such chain');
  const driver = gdpDriver(chain);
  driver.hello();
  return driver.buy(entries.map((changes) => entryOf(chain, changes)));
}
