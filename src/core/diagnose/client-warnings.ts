import { parseNetwork } from '../x402/networks.ts';
import { readAmount } from '../x402/offer.ts';
import { isJsonObject, type JsonObject, member } from '../x402/read-json.ts';
import { USDC_DOMAIN } from '../x402/usdc-on-base.ts';
import type { EntryFault } from './entry-fault.ts';
import { isUsdc, mainnetNamedBy } from './entry-faults.ts';

/** What is no reason to refuse an entry, but keeps common clients from paying it. */
export function clientWarnings(entry: unknown, version: unknown): readonly EntryFault[] {
  if (!isJsonObject(entry)) return [];
  return [
    ...networkWarnings(entry, version),
    ...amountWarnings(entry, version),
    ...timeoutWarnings(entry),
    ...signingWarnings(entry, version),
    ...(version === 1 ? absentInVersion1(entry) : []),
  ];
}

function networkWarnings(entry: JsonObject, version: unknown): EntryFault[] {
  const named = member(entry, 'network');
  if (typeof named !== 'string' || parseNetwork(named) === null) return [];
  const isCaip2 = named.includes(':');
  if (version === 2 && !isCaip2) return [{ code: 'v1_network_name', at: '.network' }];
  return version === 1 && isCaip2 ? [{ code: 'v2_network_name', at: '.network' }] : [];
}

function amountWarnings(entry: JsonObject, version: unknown): EntryFault[] {
  if (readAmount(entry) === null) return [];
  const has = (key: string) => (member(entry, key) ?? null) !== null;
  const at = has('amount') ? '.amount' : '.maxAmountRequired';
  const warnings: EntryFault[] = [];
  if (typeof (member(entry, 'amount') ?? member(entry, 'maxAmountRequired')) === 'number')
    warnings.push({ code: 'amount_number', at });
  if (version === 2 && !has('amount')) warnings.push({ code: 'v1_amount_name', at });
  if (version === 1 && !has('maxAmountRequired')) warnings.push({ code: 'v2_amount_name', at });
  return warnings;
}

function timeoutWarnings(entry: JsonObject): EntryFault[] {
  const at = '.maxTimeoutSeconds';
  const seconds = member(entry, 'maxTimeoutSeconds') ?? null;
  if (seconds === null) return [{ code: 'timeout_missing', at }];
  return typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0
    ? []
    : [{ code: 'timeout_invalid', at }];
}

/** Clients take the domain of the signature, or the payer of the fee, from `extra`; version 1 knows the domain of USDC itself. */
function signingWarnings(entry: JsonObject, version: unknown): EntryFault[] {
  const mainnet = mainnetNamedBy(entry);
  if (mainnet === null || !isUsdc(entry, mainnet)) return [];
  const extra = member(entry, 'extra');
  const named = (key: string) => (isJsonObject(extra) ? member(extra, key) : undefined) ?? '';
  if (mainnet.addresses === 'solana')
    return named('feePayer') === '' ? [{ code: 'fee_payer_missing', at: '.extra.feePayer' }] : [];
  const isAbsent = Object.keys(USDC_DOMAIN).every((key) => named(key) === '');
  if (isAbsent) return version === 1 ? [] : [{ code: 'domain_missing', at: '.extra' }];
  return Object.entries(USDC_DOMAIN).flatMap(([key, value]): EntryFault[] => {
    const at = `.extra.${key}`;
    if (named(key) === '') return version === 1 ? [] : [{ code: 'domain_missing', at }];
    return named(key) === value ? [] : [{ code: 'domain_wrong', at }];
  });
}

const VERSION_1_TEXTS = ['resource', 'description', 'mimeType'];

function absentInVersion1(entry: JsonObject): EntryFault[] {
  const absent = VERSION_1_TEXTS.filter((key) => typeof member(entry, key) !== 'string');
  return absent.map((key) => ({ code: 'v1_member_missing', at: `.${key}` }));
}
