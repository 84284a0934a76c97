import { describe, expect, it } from 'vitest';
import { NOTHING } from '../../../test/support/judging.ts';
import { ENTRY, PAYEE, paywall, THIEF } from '../../../tools/samples/challenge.ts';
import { MAINNETS, type Mainnet, parseNetwork } from '../x402/networks.ts';
import { expectedTerms } from './expected-terms.ts';
import { judge } from './judge.ts';
import { observe } from './observation.ts';

const NOON = new Date('2026-11-15T12:00:00.000Z');
const network = parseNetwork('base-sepolia');
if (network === null) throw new Error('the name is known');
const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const SEPOLIA: Mainnet = { network, name: 'base-sepolia', addresses: 'evm', usdc: USDC };
const ON_SEPOLIA = { ...ENTRY, network: 'eip155:84532', asset: USDC };

const verdictOn = (accepts: readonly object[], networks?: readonly Mainnet[]) =>
  judge(observe(paywall(accepts)), expectedTerms(NOTHING, null), NOON, networks).verdict;

describe('networks that a buyer names', () => {
  it('are not approved unless they are named', () => {
    expect(verdictOn([ON_SEPOLIA])).toMatchObject({ verdict: 'skip', reason: 'network_unsupported' });
  });

  it('are approved in their own USDC', () => {
    expect(verdictOn([ON_SEPOLIA], [...MAINNETS, SEPOLIA])).toMatchObject({
      verdict: 'pay',
      terms: { network: 'eip155:84532', asset: USDC, payTo: PAYEE },
    });
  });

  it('replace ours where only they are named', () => {
    expect(verdictOn([ENTRY], [SEPOLIA])).toMatchObject({ reason: 'network_unsupported' });
  });

  it('are held against every other demand as ours are (G95)', () => {
    const dearer = { ...ON_SEPOLIA, amount: '990000' };
    expect(verdictOn([ON_SEPOLIA, dearer], [SEPOLIA])).toMatchObject({
      reason: 'bad_challenge',
      fault: { kind: 'dearer_entry' },
    });
    expect(verdictOn([ON_SEPOLIA, { ...ON_SEPOLIA, payTo: THIEF }], [SEPOLIA])).toMatchObject({
      fault: { kind: 'other_payee' },
    });
  });
});
