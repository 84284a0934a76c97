import { isJsonObject, type JsonObject, member } from '../../x402/read-json.ts';
import { type ClientReading, type ClientRefusal, refuses } from './client-reading.ts';
import { DEFAULT_ASSETS, defaultDecimals } from './default-assets.ts';
import { isSpan, textOf } from './lenient-values.ts';
import { signablePayment } from './signable.ts';

/** What differs between releases: the later one keeps to known tokens, a limit, and known payment flows. */
export type Release = 'with_limits' | 'without_limits';

interface Numbered {
  readonly entry: JsonObject;
  readonly at: number;
}

/** The client of the x402 packages, version 2, registered for `eip155:*`: it takes the first entry that is left. */
export function readByVersion2(document: unknown, release: Release): ClientReading {
  if (!isJsonObject(document)) return refuses('unreadable');
  if (member(document, 'x402Version') !== 2) return refuses('version');
  const accepts = member(document, 'accepts');
  // It reads members of every entry, so that null stops it.
  if (!Array.isArray(accepts) || accepts.some((entry) => entry === null)) return refuses('malformed');
  const entries = accepts.flatMap((entry: unknown, at) => (isJsonObject(entry) ? [{ entry, at }] : []));
  const known = entries.filter(({ entry }) => isOnEvm(entry) && member(entry, 'scheme') === 'exact');
  if (known.length === 0) return refuses('nothing_to_sign');
  const left = release === 'with_limits' ? withinLimits(known) : known;
  if (typeof left === 'string') return refuses(left);
  const [chosen] = left;
  return chosen === undefined ? refuses('nothing_to_sign') : signed(chosen);
}

function isOnEvm(entry: JsonObject): boolean {
  return textOf(member(entry, 'network')).startsWith('eip155:');
}

const FLOWS: readonly unknown[] = [undefined, null, 'authorization', 'upfront', 'escrow'];
const AUTHORIZATION: readonly unknown[] = FLOWS.slice(0, 3);

function withinLimits(known: readonly Numbered[]): readonly Numbered[] | ClientRefusal {
  const flowing = known.filter(({ entry }) => FLOWS.includes(extraOf(entry, 'paymentFlow')));
  if (flowing.length === 0) return 'nothing_to_sign';
  // It looks tokens of networks that it knows up in small letters, so that one that is no text stops it.
  if (flowing.some(({ entry }) => isKnownNetwork(entry) && typeof member(entry, 'asset') !== 'string'))
    return 'malformed';
  const usual = flowing.filter(({ entry }) => decimalsOf(entry) !== null);
  if (usual.length === 0) return 'nothing_to_sign';
  const caps = usual.map(({ entry }) => isAffordable(entry));
  if (caps.includes('malformed')) return 'malformed';
  const affordable = usual.filter((_, index) => caps[index] === true);
  if (affordable.length === 0) return 'above_limit';
  const plain = affordable.filter(({ entry }) => AUTHORIZATION.includes(extraOf(entry, 'paymentFlow')));
  return plain.length > 0 ? plain : affordable;
}

function isKnownNetwork(entry: JsonObject): boolean {
  return DEFAULT_ASSETS.some(([network]) => network === member(entry, 'network'));
}

function decimalsOf(entry: JsonObject): number | null {
  return defaultDecimals(textOf(member(entry, 'network')), textOf(member(entry, 'asset')));
}

const DOLLAR_MAX = 1n;
const DECIMAL = /^-?[0-9]{1,78}\.?[0-9]{0,78}$/;

/** At most one dollar. What is no whole number is read as dollars, and anything else is an error of the whole. */
function isAffordable(entry: JsonObject): boolean | 'malformed' {
  const amount = member(entry, 'amount');
  const text = textOf(amount);
  if (/^[0-9]{1,100}$/.test(text)) return BigInt(text) <= DOLLAR_MAX * 10n ** BigInt(decimalsOf(entry) ?? 0);
  if (typeof amount !== 'string' || !DECIMAL.test(amount)) return 'malformed';
  const [whole = '0', fraction = ''] = amount.split('.');
  const scaled = BigInt(whole + fraction.padEnd(18, '0').slice(0, 18));
  return scaled <= DOLLAR_MAX * 10n ** 18n;
}

function signed({ entry, at }: Numbered): ClientReading {
  const by = extraOf(entry, 'assetTransferMethod') === 'permit2' ? 'permit2' : 'transfer';
  const pays = signablePayment(entry, 'amount');
  const hasDomain = by === 'permit2' || (isText(extraOf(entry, 'name')) && isText(extraOf(entry, 'version')));
  const isWhole =
    isChain(member(entry, 'network')) && isSpan(member(entry, 'maxTimeoutSeconds')) && hasDomain;
  if (pays === null || !isWhole) return refuses('unsignable');
  return { kind: 'signs', source: 'header', entry: at, by, pays };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isChain(network: unknown): boolean {
  const [, id = ''] = /^eip155:([0-9]{1,16})$/.exec(textOf(network)) ?? [];
  return id !== '' && Number.isSafeInteger(Number(id));
}

function extraOf(entry: JsonObject, key: string): unknown {
  const extra = member(entry, 'extra');
  return isJsonObject(extra) ? member(extra, key) : undefined;
}
