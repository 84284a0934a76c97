import { expect, it } from 'vitest';
import { VERDICTS, type VerdictName } from '../../../test/support/verdicts.ts';
import { verdictWords } from './verdict-words.ts';

const UNCOMPARED =
  'The live 402 asks $0.01 in USDC on eip155:8453; no claimed or listed price to compare with. Send claimed_price to compare.';
const NOT_BASE = 'The live 402 does not offer the expected network eip155:8453; it offers';
const FIRST_EIGHT =
  'eip155:1000, eip155:1001, eip155:1002, eip155:1003, eip155:1004, eip155:1005, eip155:1006, eip155:1007';

const WORDS: Record<VerdictName, string> = {
  pay: 'The live 402 asks $0.01 in USDC on eip155:8453, as expected.',
  payUncompared: UNCOMPARED,
  dearer: 'The live 402 asks $0.05, more than the expected $0.01.',
  cheaper: 'The live 402 asks $0.05, less than the expected $6.',
  otherNetwork: `${NOT_BASE} eip155:137, a network without a CAIP-2 name.`,
  otherNetworks: `${NOT_BASE} ${FIRST_EIGHT} and others.`,
  otherPayee: 'The payee of the live 402 is not the expected payee.',
  wordyPayee: 'The payee of the live 402 is not the expected payee.',
  otherToken: 'The live 402 asks for a token other than the canonical USDC on eip155:8453.',
  testnet: 'The live 402 asks for payment on eip155:84532, which is not a supported mainnet.',
  namelessNetwork:
    'The live 402 asks for payment on a network without a CAIP-2 name, which is not a supported mainnet.',
  noPaywall: 'The endpoint answered HTTP 200 without asking for payment.',
  empty402: 'The endpoint answered HTTP 402 without any x402 payment terms.',
  redirect: 'The endpoint answered HTTP 308 and redirects elsewhere; check the new address instead.',
  unreadable: 'The live 402 carries payment terms that cannot be read.',
  headersTooLarge: 'The response has header fields too large to read.',
  notExact: 'The live 402 offers no payment of an exact amount.',
  expired: 'The live 402 carries payment terms that have already expired.',
  burningPayee: 'The live 402 pays an address that cannot receive USDC.',
  spelledTwice: 'The live 402 gives a payment term twice with different values.',
  twoDemands: 'The live 402 asks for one payment in its header and for another in its body.',
  tooLong: 'The live 402 asks for a signature that may be valid for more than a day.',
  otherMethod: 'The live 402 asks for another method than a plain transfer authorization.',
  tooManyEntries: 'The live 402 has more than 64 entries; a client could sign one that was not read.',
  entryToOther: 'Another entry of the live 402 pays another payee; a client could sign that one instead.',
  oddEntry:
    'Another entry of the live 402 asks for USDC by another method, or for longer than a day; a client could sign that one instead.',
  dearerEntry:
    'Another entry of the live 402 asks for $0.99 in USDC on eip155:8453; a client could sign that one instead.',
  unreadEntry:
    'Another entry of the live 402 asks for an amount that cannot be read in USDC on a network without a CAIP-2 name; a client could sign that one instead.',
  absurdPrice: 'The live 402 asks $1000, which is not plausible without a claimed or listed price.',
  blocked: 'This URL leads to a blocked address, or to a host that opted out; nothing was sent.',
  trial: 'The endpoint announces a free trial; check again when it is over.',
  countedTrial: 'The endpoint announces a free trial (3 calls left); check again when it is over.',
  timeout: 'The endpoint did not answer within 5 seconds; check again later.',
  serverError: 'The endpoint answered HTTP 503; check again later.',
  noSuchName: 'The host name does not resolve; check the address, or check again later.',
  lookupFailed: 'The host name lookup failed; check again later.',
  noConnection: 'Could not connect to the endpoint; check again later.',
  badCertificate: 'The endpoint has no valid certificate for its name; check again later.',
  notHttp: 'The endpoint did not respond with valid HTTP; check again later.',
  termsDiffer:
    'The seller shows different terms to different visitors: another point of view saw another payment.',
  unconfirmed: 'Other points of view did not see the same (1 of the 2 needed agreed); check again later.',
};

it.each(Object.entries(VERDICTS))('%s in plain words (G49)', (name, verdict) => {
  expect(verdictWords(verdict)).toBe(new Map(Object.entries(WORDS)).get(name));
});
