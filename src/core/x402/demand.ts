import { isAddress, isSameAddress } from './address.ts';
import { PAYMENT_KEYS } from './fold-key.ts';
import { type AddressKind, type Caip2, MAINNETS, type Mainnet, mainnetOf, parseNetwork } from './networks.ts';
import { contradictedKeys, lenientReadings, readAmount, readTransfer, type Transfer } from './offer.ts';
import { isJsonObject, type JsonObject, member, memberOf } from './read-json.ts';

/**
 * An entry that a stock client could sign. Clients sign the first entry that they can, not the one that we approve, so all
 * of them have to agree with it (gap G95). Wider than an offer: whatever we cannot read, a more lenient client may.
 */
export interface Demand {
  readonly chain: AddressKind;
  /** Null for a payee too long or too odd to keep; it equals no other. */
  readonly payTo: string | null;
  /** Null when it has no CAIP-2 form. */
  readonly network: Caip2 | null;
  /** Null for one that is not text, or too long to keep. */
  readonly asset: string | null;
  /** Null when it cannot be read. */
  readonly amountAtomic: bigint | null;
  readonly transfer: Transfer;
}

/** Its payee equals no other. */
const LIST = { scheme: 'exact', network: 'base', payTo: 'list', amount: '' };

const PLAIN = /^[\x21-\x7e]{1,128}$/;

/** Null for an entry that no client can sign. One with two meanings has no payee, so that no other entry agrees with it. */
function readDemand(entry: unknown): Demand | null {
  // Some clients take a list for an object: the members in the order of their declaration.
  if (Array.isArray(entry)) return entry.includes('exact') ? readEntry(LIST) : null;
  if (!isJsonObject(entry)) return null;
  const demand = lenientReadings(entry)
    .map(readEntry)
    .find((read) => read !== null);
  if (demand === undefined) return null;
  const isContradicted = contradictedKeys(entry, { scheme: 'exact', ...demand }).length > 0;
  return isContradicted ? { ...demand, payTo: null } : demand;
}

function readEntry(entry: JsonObject): Demand | null {
  if (textOf(entry, 'scheme')?.toLowerCase() !== 'exact' || !namesAmount(entry)) return null;
  const payTo = textOf(entry, 'payTo');
  const named = member(entry, 'network');
  if (!payTo || !named) return null;
  const network = parseNetwork(String(named));
  const chain = chainOf(network, payTo);
  if (chain === null) return null;
  return {
    chain,
    payTo: plain(payTo),
    network,
    asset: plain(tokenOf(entry)),
    amountAtomic: readAmount(entry),
    transfer: readTransfer(entry),
  };
}

/** As clients read it that take blanks around a text, a capital X or no 0x in an address, or a list of one where a text belongs. */
function textOf(object: unknown, name: string): string | null {
  const value = memberOf(object, name);
  const isText = typeof value === 'string' || Array.isArray(value);
  return isText ? String(value).trim().replace(EVM_ADDRESS, '0x$1') : null;
}

const EVM_ADDRESS = /^(?:0x)?([0-9a-f]{40})$/i;

function plain(text: string | null): string | null {
  return text !== null && PLAIN.test(text) ? text : null;
}

/** The token that a client may sign for: some take the contract in `extra`, whatever the asset says. */
function tokenOf(entry: JsonObject): string | null {
  const contract = textOf(member(entry, 'extra'), 'verifyingContract');
  return isUsdcSomewhere(contract, MAINNETS) ? contract : textOf(entry, 'asset');
}

/** Where the asset is no address, some clients take the USDC of the network. */
export function mayBeUsdc({ chain, network, asset }: Demand, networks: readonly Mainnet[]): boolean {
  const isToken = asset !== null && (isAddress(asset, chain) || (chain === 'solana' && PROGRAM.test(asset)));
  return isToken ? isUsdcSomewhere(asset, networks) : mainnetOf(network, networks) !== null;
}

/** A short address on Solana, such as the one that stands for SOL. */
const PROGRAM = /^[1-9A-HJ-NP-Za-km-z]{32,39}$/;

/** On any mainnet: a client may know the network of an entry by a name that we do not know. */
function isUsdcSomewhere(token: string | null, networks: readonly Mainnet[]): boolean {
  return token !== null && networks.some(({ usdc }) => isSameAddress(token, usdc));
}

/**
 * The entries of one document that a client may get to: it signs the first that it can. Sellers offer the same payment by Permit2
 * behind the transfer, and nobody signs that one. Header and body are apart, because a client reads one of them.
 */
export function signableDemands(entries: readonly unknown[]): readonly Demand[] {
  return demandsByEntry(entries).filter((demand) => demand !== null);
}

/** Null for an entry that no client signs. */
export function demandsByEntry(entries: readonly unknown[]): readonly (Demand | null)[] {
  const demands = entries.map(readDemand);
  return demands.map((demand, at) => {
    if (demand?.transfer !== 'other_method' || demand.payTo === null) return demand;
    const spelling = spellingOf(entries[at]);
    const isBehind = (first: Demand | null, before: number) =>
      before < at && first?.transfer === 'ordinary' && spellingOf(entries[before]) === spelling;
    return demands.some(isBehind) ? null : demand;
  });
}

/** Clients differ in the spellings that they understand: of the same payment in two, some get past the first. */
function spellingOf(entry: unknown): string {
  return isJsonObject(entry) ? JSON.stringify(PAYMENT_KEYS.map((key) => member(entry, key))) : '';
}

function namesAmount(entry: JsonObject): boolean {
  return (member(entry, 'amount') ?? member(entry, 'maxAmountRequired') ?? null) !== null;
}

const CHAINS = [
  ['evm', 'eip155:'],
  ['solana', 'solana:'],
] as const;

/** A network that we cannot name may be one that a client knows: the payee tells which kind it is. */
function chainOf(network: Caip2 | null, payTo: string): AddressKind | null {
  const found = CHAINS.find(([kind, namespace]) =>
    network === null ? isAddress(payTo, kind) : network.startsWith(namespace),
  );
  return found?.[0] ?? null;
}
