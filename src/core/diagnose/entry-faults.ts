import { canReceive, isAddress, isSameAddress } from '../x402/address.ts';
import { otherSpellings } from '../x402/fold-key.ts';
import { type Mainnet, mainnetOf, parseNetwork } from '../x402/networks.ts';
import { contradictedKeys, isTooLong, MONEY_SPELLINGS, readOffer, readTransfer } from '../x402/offer.ts';
import { isJsonObject, type JsonObject, member } from '../x402/read-json.ts';
import { isCanonicalUsdc } from '../x402/terms.ts';
import { readValidBefore } from '../x402/valid-before.ts';
import { amountFaults } from './amount-faults.ts';
import type { DiagnosticCode } from './diagnostic.ts';
import type { EntryFault } from './entry-fault.ts';
import { isTestNetwork } from './is-test-network.ts';

/** Why an entry alone would not be approved, every step of the judge at once; empty when it would be. */
export function entryFaults(entry: unknown, version: unknown, seenAt: Date): readonly EntryFault[] {
  if (!isJsonObject(entry)) return [{ code: 'entry_not_object', at: '' }];
  const mainnet = mainnetNamedBy(entry);
  const faults = [
    ...schemeFaults(entry),
    ...networkFaults(entry),
    ...assetFaults(entry, mainnet),
    ...amountFaults(entry, version, mainnet !== null && isUsdc(entry, mainnet)),
    ...payeeFaults(entry, mainnet),
    ...transferFaults(entry),
    ...expiryFaults(entry, seenAt),
    ...contradictions(entry),
  ];
  return faults.map((fault) => orMisspelled(fault, entry));
}

function schemeFaults(entry: JsonObject): EntryFault[] {
  const scheme = member(entry, 'scheme');
  if (isBlank(scheme)) return [{ code: 'scheme_missing', at: '.scheme' }];
  return scheme === 'exact' ? [] : [{ code: 'scheme_not_exact', at: '.scheme' }];
}

function networkFaults(entry: JsonObject): EntryFault[] {
  const at = '.network';
  const named = member(entry, 'network');
  if (isBlank(named)) return [{ code: 'network_missing', at }];
  const network = typeof named === 'string' ? parseNetwork(named) : null;
  if (network === null) return [{ code: 'network_unknown', at }];
  if (mainnetOf(network) !== null) return [];
  return [{ code: isTestNetwork(network) ? 'test_network' : 'network_unsupported', at }];
}

/** Which token is the right one depends on the network, so on others only its absence is reported. */
function assetFaults(entry: JsonObject, mainnet: Mainnet | null): EntryFault[] {
  const at = '.asset';
  if (isBlank(member(entry, 'asset'))) return [{ code: 'asset_missing', at }];
  return mainnet === null || isUsdc(entry, mainnet) ? [] : [{ code: 'asset_not_usdc', at }];
}

function payeeFaults(entry: JsonObject, mainnet: Mainnet | null): EntryFault[] {
  const at = '.payTo';
  const payTo = member(entry, 'payTo');
  if (isBlank(payTo)) return [{ code: 'payee_missing', at }];
  if (typeof payTo !== 'string') return [{ code: 'payee_not_address', at }];
  if (mainnet === null || canReceive(payTo, mainnet)) return [];
  if (!isAddress(payTo, mainnet.addresses)) return [{ code: 'payee_not_address', at }];
  return [{ code: isSameAddress(payTo, mainnet.usdc) ? 'payee_is_token' : 'payee_nobody', at }];
}

const TRANSFER_KEYS = ['assetTransferMethod', 'primaryType', 'paymentFlow', 'verifyingContract', 'chainId'];

/** Each member that changes what is signed, asked about alone. */
export function transferFaults(entry: JsonObject): EntryFault[] {
  const extra = member(entry, 'extra');
  const odd = isJsonObject(extra)
    ? TRANSFER_KEYS.filter((key) => changesTransfer(entry, extra, key)).map((key) => `.extra.${key}`)
    : ['.extra'].filter(() => readTransfer({ extra }) === 'other_method');
  const faults = odd.map((at): EntryFault => ({ code: 'transfer_method', at }));
  return isTooLong(member(entry, 'maxTimeoutSeconds'))
    ? [{ code: 'timeout_too_long', at: '.maxTimeoutSeconds' }, ...faults]
    : faults;
}

function changesTransfer(entry: JsonObject, extra: JsonObject, key: string): boolean {
  const alone = {
    network: member(entry, 'network'),
    asset: member(entry, 'asset'),
    extra: { [key]: member(extra, key) },
  };
  return readTransfer(alone) === 'other_method';
}

function expiryFaults(entry: JsonObject, seenAt: Date): EntryFault[] {
  const isPast = (place: JsonObject) => {
    const instant = readValidBefore({ validBefore: member(place, 'validBefore') });
    return instant !== null && instant <= seenAt.getTime();
  };
  const extra = member(entry, 'extra');
  const faults: EntryFault[] = [];
  if (isPast(entry)) faults.push({ code: 'terms_expired', at: '.validBefore' });
  if (isJsonObject(extra) && isPast(extra)) faults.push({ code: 'terms_expired', at: '.extra.validBefore' });
  return faults;
}

/** Members that have another value under another spelling of their names. */
export function contradictions(entry: JsonObject): EntryFault[] {
  const offer = readOffer(entry);
  if (offer === null) return [];
  const keys = [...new Set(contradictedKeys(entry, offer))];
  return keys.map((key): EntryFault => ({ code: 'conflicting_names', at: `.${key}` }));
}

const MISSING: ReadonlySet<DiagnosticCode> = new Set([
  'scheme_missing',
  'network_missing',
  'asset_missing',
  'payee_missing',
  'amount_missing',
]);

/** A member that is missing under its own name but present as `pay_to` or `PayTo`. */
function orMisspelled(fault: EntryFault, entry: JsonObject): EntryFault {
  if (!MISSING.has(fault.code)) return fault;
  const isThere = otherSpellings(entry, MONEY_SPELLINGS).some(
    ({ key, value }) => `.${key}` === fault.at && !isBlank(value),
  );
  return isThere ? { ...fault, code: 'misspelled_name' } : fault;
}

export function mainnetNamedBy(entry: JsonObject): Mainnet | null {
  const named = member(entry, 'network');
  return typeof named === 'string' ? mainnetOf(parseNetwork(named)) : null;
}

export function isUsdc(entry: JsonObject, { network }: Mainnet): boolean {
  const asset = member(entry, 'asset');
  return typeof asset === 'string' && isCanonicalUsdc({ network, asset });
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
