import { expect, it } from 'vitest';
import { isTokenAccountOf } from './token-account.ts';

const OWNER = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';
const MINT = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';

// The accounts are those that Solana's own library derives.
it.each([
  ['the account of the token program', 'BGQsCUiQgExi3zfc8mkqoURTLzeipem84chhZ411RhLT', true],
  [
    'the account of the newer token program, with a lower bump',
    '4SUj2aqwf2cH3eqbEUUsyGDtNjJctkNcYUiM66LodCRW',
    true,
  ],
  ['the owner, who is no token account', OWNER, false],
  ['somebody else', '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4', false],
  ['text that is no key', '0x209693Bc6afc0C5328bA36FaF03C514EF312287C', false],
  ['a number above 32 bytes', 'z'.repeat(44), false],
])('%s', (_what, account, expected) => {
  expect(isTokenAccountOf(account, OWNER, MINT)).toBe(expected);
});
