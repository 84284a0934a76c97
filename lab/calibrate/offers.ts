import { MAINNETS } from '../../src/core/x402/networks.ts';
import { ENTRY, ENTRY_V1, THIEF } from '../../tools/samples/challenge.ts';
import { SOLANA, SOLANA_PAYEE, TEST_USDC, USDC_ON_SOLANA } from './addresses.ts';

/** The usual entry with other members. */
export const entry = (changes: object) => ({ ...ENTRY, ...changes });
/** The usual entry with more members in `extra`. */
export const withExtra = (more: object) => entry({ extra: { ...ENTRY.extra, ...more } });
/** An entry of version 1 as its middleware writes it. */
export const old = (changes: object = {}) => ({
  resource: 'https://seller.example/data',
  description: 'Weather of a city',
  mimeType: 'application/json',
  ...ENTRY_V1,
  ...changes,
});

/** The usual entry in the USDC of another network. */
export function onNetwork(name: string, changes: object = {}): object {
  const mainnet = MAINNETS.find((one) => one.name === name);
  if (mainnet === undefined) throw new Error(`no mainnet ${name}`);
  return entry({ network: mainnet.network, asset: mainnet.usdc, ...changes });
}

export const ON_SOLANA = entry({
  network: SOLANA,
  asset: USDC_ON_SOLANA,
  payTo: SOLANA_PAYEE,
  extra: { feePayer: SOLANA_PAYEE },
});
export const ON_TESTNET = entry({ network: 'eip155:84532', asset: TEST_USDC });
export const BY_PERMIT = withExtra({ assetTransferMethod: 'permit2' });
export const TO_THIEF = entry({ payTo: THIEF });
export const DEAR = entry({ amount: '990000' });
