import { isJsonObject, type JsonObject, member } from '../../x402/read-json.ts';
import { type ClientReading, refuses } from './client-reading.ts';
import { isEvmAddress, textOf } from './lenient-values.ts';
import { signablePayment } from './signable.ts';

const NETWORK = 'eip155:8453';
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';

/** Version 2, from the header: the resource and every entry must have their form. */
export function readHeaderByFaremeter(document: unknown): ClientReading {
  if (!isJsonObject(document)) return refuses('unreadable');
  if (member(document, 'x402Version') !== 2) return refuses('version');
  const isForm =
    isTextOrAbsent(document, 'error') &&
    isResource(member(document, 'resource')) &&
    isObjectOrAbsent(document, 'extensions');
  return isForm ? choose(member(document, 'accepts'), 'header') : refuses('malformed');
}

/** Version 1, from the body: network names are translated first. */
export function readBodyByFaremeter(document: unknown): ClientReading {
  if (!isJsonObject(document) || member(document, 'accepts') === undefined) return refuses('no_terms');
  const isForm = Number.isInteger(member(document, 'x402Version')) && isTextOrAbsent(document, 'error');
  return isForm ? choose(member(document, 'accepts'), 'body') : refuses('malformed');
}

function choose(accepts: unknown, source: 'header' | 'body'): ClientReading {
  if (!Array.isArray(accepts)) return refuses('malformed');
  const entries = accepts.filter(isJsonObject);
  const isForm = source === 'header' ? isEntry : isEntryOfVersion1;
  if (entries.length < accepts.length || !entries.every(isForm)) return refuses('malformed');
  const chosen = entries.find((entry) => isPayable(entry, source));
  if (chosen === undefined) return refuses('nothing_to_sign');
  const pays = signablePayment(chosen, source === 'header' ? 'amount' : 'maxAmountRequired');
  if (pays === null || !isDomain(chosen)) return refuses('unsignable');
  return { kind: 'signs', source, entry: entries.indexOf(chosen), by: 'transfer', pays };
}

// A plain decimal, without leading zeros.
const NUMERIC = /^(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)$/;

function isEntry(entry: JsonObject): boolean {
  return (
    ['scheme', 'network', 'asset', 'payTo'].every((key) => typeof member(entry, key) === 'string') &&
    isNumeric(member(entry, 'amount')) &&
    Number.isInteger(member(entry, 'maxTimeoutSeconds')) &&
    isObjectOrAbsent(entry, 'extra')
  );
}

function isEntryOfVersion1(entry: JsonObject): boolean {
  const resource = member(entry, 'resource');
  return (
    isEntry({ ...entry, amount: member(entry, 'maxAmountRequired') }) &&
    typeof resource === 'string' &&
    URL.canParse(resource) &&
    typeof member(entry, 'description') === 'string' &&
    isTextOrAbsent(entry, 'mimeType') &&
    isObjectOrAbsent(entry, 'outputSchema')
  );
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 100 && NUMERIC.test(value);
}

/** In any letter case. */
function isPayable(entry: JsonObject, source: 'header' | 'body'): boolean {
  const lower = (key: string) => textOf(member(entry, key)).toLowerCase();
  const isOnBase = lower('network') === NETWORK || (source === 'body' && member(entry, 'network') === 'base');
  return isOnBase && lower('scheme') === 'exact' && lower('asset') === USDC;
}

/** `extra` may name another contract and another chain, which it then signs for. */
function isDomain(entry: JsonObject): boolean {
  const extra = member(entry, 'extra');
  if (!isJsonObject(extra)) return true;
  const [chainId, contract] = [member(extra, 'chainId'), member(extra, 'verifyingContract')];
  return (
    isTextOrAbsent(extra, 'name') &&
    isTextOrAbsent(extra, 'version') &&
    (chainId === undefined || Number.isSafeInteger(chainId)) &&
    (contract === undefined || isEvmAddress(contract))
  );
}

function isResource(resource: unknown): boolean {
  return (
    isJsonObject(resource) &&
    typeof member(resource, 'url') === 'string' &&
    isTextOrAbsent(resource, 'description') &&
    isTextOrAbsent(resource, 'mimeType')
  );
}

function isTextOrAbsent(object: JsonObject, key: string): boolean {
  return ['string', 'undefined'].includes(typeof member(object, key));
}

function isObjectOrAbsent(object: JsonObject, key: string): boolean {
  const value = member(object, key);
  return value === undefined || (typeof value === 'object' && value !== null);
}
