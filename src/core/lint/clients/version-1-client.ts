import { isAnyAddress } from '../../x402/address.ts';
import { isJsonObject, type JsonObject, member } from '../../x402/read-json.ts';
import { type ClientReading, refuses } from './client-reading.ts';
import { lenientAmount } from './lenient-values.ts';
import { signablePayment } from './signable.ts';

const EVM_NETWORKS: ReadonlySet<unknown> = new Set([
  ...['abstract', 'abstract-testnet', 'base-sepolia', 'base', 'avalanche-fuji', 'avalanche', 'iotex', 'sei'],
  ...['sei-testnet', 'polygon', 'polygon-amoy', 'peaq', 'story', 'educhain', 'skale-base-sepolia'],
]);
const SOLANA_NETWORKS: ReadonlySet<unknown> = new Set(['solana', 'solana-devnet']);
const WALLET_NETWORK = 'base';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
/** A tenth of a dollar in atomic USDC, whatever the token is. */
const AMOUNT_MAX = 100_000n;

/**
 * x402-fetch reads the body and never the header. It rejects a list with one entry that it cannot parse, prefers USDC on the
 * network of its wallet, and falls back to the first entry of all.
 */
export function readByVersion1(body: unknown): ClientReading {
  const accepts = isJsonObject(body) ? member(body, 'accepts') : undefined;
  if (!Array.isArray(accepts)) return refuses('no_terms');
  const entries = accepts.filter(isJsonObject);
  if (entries.length < accepts.length || !entries.every(isParsed)) {
    // Terms of the other version were never meant for it.
    return refuses(isJsonObject(body) && member(body, 'x402Version') === 2 ? 'no_terms' : 'malformed');
  }
  const onBase = entries.filter((entry) => member(entry, 'network') === WALLET_NETWORK);
  const chosen = onBase.find((entry) => member(entry, 'asset') === USDC) ?? onBase[0] ?? entries[0];
  if (chosen === undefined) return refuses('nothing_to_sign');
  const amount = lenientAmount(member(chosen, 'maxAmountRequired'));
  if (amount === null) return refuses('unsignable');
  if (amount > AMOUNT_MAX) return refuses('above_limit');
  const pays = signablePayment(chosen, 'maxAmountRequired');
  if (pays === null || !EVM_NETWORKS.has(member(chosen, 'network'))) return refuses('unsignable');
  return { kind: 'signs', source: 'body', entry: entries.indexOf(chosen), by: 'transfer', pays };
}

// Without an end to its first half, as the package has it.
const ASSET = /^0x[a-fA-F0-9]{40}|[A-Za-z0-9][A-Za-z0-9-]{0,34}[A-Za-z0-9]$/;

function isParsed(entry: JsonObject): boolean {
  const network = member(entry, 'network');
  const payTo = member(entry, 'payTo');
  const asset = member(entry, 'asset');
  return (
    member(entry, 'scheme') === 'exact' &&
    (EVM_NETWORKS.has(network) || SOLANA_NETWORKS.has(network)) &&
    isWholeText(member(entry, 'maxAmountRequired')) &&
    isUrl(member(entry, 'resource')) &&
    typeof member(entry, 'description') === 'string' &&
    typeof member(entry, 'mimeType') === 'string' &&
    isOptionalObject(member(entry, 'outputSchema')) &&
    isOptionalObject(member(entry, 'extra')) &&
    typeof payTo === 'string' &&
    isAnyAddress(payTo) &&
    Number.isInteger(member(entry, 'maxTimeoutSeconds')) &&
    typeof asset === 'string' &&
    (ASSET.test(asset) || isAnyAddress(asset))
  );
}

function isWholeText(value: unknown): boolean {
  return typeof value === 'string' && Number.isInteger(Number(value)) && Number(value) >= 0;
}

function isOptionalObject(value: unknown): boolean {
  return value === undefined || isJsonObject(value);
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value);
}
