import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createGuard, type GuardOptions, memoryLedger } from '../../src/guard/index.ts';
import { ENTRY, paywall } from '../../tools/samples/challenge.ts';
import {
  GOODS,
  guardFor,
  inProcessSeller,
  LIMITS,
  payer,
} from '../support/guarding/sellers/in-process-seller.ts';

/** As a program without types may write them. */
const create = (options: object) => () =>
  createGuard({ ledger: memoryLedger(), limits: LIMITS, ...options } as GuardOptions);
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

describe('options that cannot be meant', () => {
  it.each<[string, object, string]>([
    ['no ledger', { ledger: undefined }, 'ledger is required'],
    ['no limits', { limits: undefined }, 'limits is required'],
    ['no limit of a payment', { limits: { perDay: '5' } }, 'limits.perPayment is required'],
    ['no limit of a day', { limits: { perPayment: '1' } }, 'limits.perDay is required'],
    ['a limit as a number', { limits: { perPayment: '1', perDay: 5 } }, 'limits.perDay is required'],
    ['a limit with a sign', { limits: { perPayment: '-1', perDay: '5' } }, 'limits.perPayment is required'],
    ['a misspelt limit', { limits: { ...LIMITS, perHostday: '1' } }, 'limits.perHostday is not a limit'],
    ['a misspelt option', { host: ['seller.example'] }, 'host is not an option'],
    ['a host with a port', { hosts: ['seller.example:443'] }, 'hosts[0] is not a host name'],
    ['a host with a scheme', { hosts: ['https://seller.example'] }, 'hosts[0] is not a host name'],
    ['a host that no URL can have', { hosts: ['1.2.3.256'] }, 'hosts[0] is not a host name'],
    ['a listing that is a table', { expect: { 'https://a.example/': {} } }, 'expect is not a function'],
    ['an approval without a function', { approveAbove: '1' }, 'approveAbove needs the function approve'],
    ['a lifetime of days', { lifeMaxSeconds: 86_401 }, 'lifeMaxSeconds is not a whole number'],
    ['an endless wait for a service', { askTimeoutMs: Infinity }, 'askTimeoutMs is not a whole number'],
    ['a service without an address', { ask: 'assay.example' }, 'ask is not an http or https URL'],
    [
      'a node without an address',
      { chain: { rpcUrl: 'ws://node' } },
      'chain.rpcUrl is not an http or https URL',
    ],
    ['a network without a name', { networks: { 'base sepolia': { usdc: USDC } } }, 'is not an EVM network'],
    [
      'another token for Base',
      { networks: { base: { usdc: `0x${'1'.repeat(40)}` } } },
      'is not the USDC of this network',
    ],
  ])('%s', (_, options, message) => {
    expect(create(options)).toThrow(message);
  });

  it('a network that is known may be named', () => {
    expect(create({ networks: { 'eip155:8453': { usdc: USDC.toLowerCase() } } })).not.toThrow();
  });

  it('a network that is not known may be added', async () => {
    const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
    const seller = inProcessSeller(paywall([{ ...ENTRY, network: 'eip155:84532', asset: usdc }]));
    const guard = guardFor(seller, { networks: { 'eip155:84532': { usdc } } });
    expect((await payer(guard.fetch)('https://seller.example/')).status).toBe(200);
  });
});

it('a body that is a stream goes out as it comes, and is never paid for', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  let heard = '';
  const guard = guardFor({
    async fetch(input, init) {
      const reader = (new Request(input, init).body ?? new Blob([]).stream()).getReader();
      heard += new TextDecoder().decode((await reader.read()).value);
      // Only now does the caller go on.
      writer.write(new TextEncoder().encode('second')).then(() => writer.close());
      heard += new TextDecoder().decode((await reader.read()).value);
      return new Response('ok');
    },
  });
  const options = { method: 'POST', body: readable, duplex: 'half' } as const;
  const answer = guard.fetch(new Request('https://seller.example/', options));
  writer.write(new TextEncoder().encode('first '));
  expect(await (await answer).text()).toBe('ok');
  expect(heard).toBe('first second');
  const asking = guardFor(inProcessSeller()).fetch('https://seller.example/', {
    ...options,
    body: new Blob(['x']).stream(),
  });
  await expect(asking).rejects.toMatchObject({ code: 'not_approved' });
});

it('a guard may take the place of the global fetch, for payers that use no other', async () => {
  const seller = inProcessSeller();
  vi.stubGlobal('fetch', seller.fetch);
  onTestFinished(() => void vi.unstubAllGlobals());
  const guard = createGuard({ ledger: memoryLedger(), limits: LIMITS });
  vi.stubGlobal('fetch', guard.fetch);
  expect(await (await payer((input, init) => fetch(input, init))('https://seller.example/paid')).text()).toBe(
    GOODS,
  );
});
