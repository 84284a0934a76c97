import { ACCEPTS_MAX_ENTRIES } from '../limits.ts';
import type { BadChallengeFault } from '../verdict/verdict.ts';
import { isSameAddress } from '../x402/address.ts';
import { type Demand, demandsByEntry, mayBeUsdc } from '../x402/demand.ts';
import { MAINNETS, mainnetOf } from '../x402/networks.ts';
import { type Offer, readOffer } from '../x402/offer.ts';
import { isJsonObject, member } from '../x402/read-json.ts';
import { amountFaults } from './amount-faults.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { EntryFault } from './entry-fault.ts';
import { contradictions, transferFaults } from './entry-faults.ts';
import type { TermsDocument } from './terms-document.ts';

/** A refused challenge of which one entry alone would be approved. */
export interface Dispute {
  readonly fault: BadChallengeFault['kind'];
  /** The entry that would be approved. */
  readonly approved: Offer;
  /** The document that counts, and the body beside it. */
  readonly documents: readonly TermsDocument[];
}

/** Which parts of the answer speak against the entry that would be approved; empty for faults of entries alone. */
export function disputes({ fault, approved, documents }: Dispute): readonly Diagnostic[] {
  switch (fault) {
    case 'header_and_body_differ':
      return documents.slice(1).flatMap((body) => differences(approved, body));
    case 'too_many_entries':
      return documents.filter(({ hasMoreEntries }) => hasMoreEntries).map(tooMany);
    case 'other_payee':
      return otherPayees(approved, documents);
    case 'dearer_entry':
      return demandsIn(documents)
        .filter(isInUsdc)
        .flatMap((one) => dearer(one, approved));
    case 'odd_entry':
      return demandsIn(documents)
        .filter(isInUsdc)
        .flatMap((one) =>
          isJsonObject(one.entry) ? transferFaults(one.entry).map((its) => placed(its, one)) : [],
        );
    default:
      return [];
  }
}

interface PlacedDemand {
  readonly demand: Demand;
  readonly entry: unknown;
  readonly index: number;
  readonly document: TermsDocument;
}

/** In the order in which a client meets them. */
function demandsIn(documents: readonly TermsDocument[]): PlacedDemand[] {
  return documents.flatMap((document) =>
    demandsByEntry(document.entries).flatMap((demand, index) =>
      demand === null ? [] : [{ demand, entry: document.entries[index], index, document }],
    ),
  );
}

function isInUsdc({ demand }: PlacedDemand): boolean {
  return mayBeUsdc(demand, MAINNETS);
}

function placed(
  { code, at }: EntryFault,
  { document, index }: Pick<PlacedDemand, 'document' | 'index'>,
): Diagnostic {
  return { code, source: document.source, path: `$.accepts[${index}]${at}` };
}

function tooMany({ source }: TermsDocument): Diagnostic {
  return { code: 'too_many_entries', source, path: `$.accepts[${ACCEPTS_MAX_ENTRIES}]` };
}

/** On the chain of the approved entry its payee is the right one, on the other the first. */
function otherPayees(approved: Offer, documents: readonly TermsDocument[]): Diagnostic[] {
  const all = demandsIn(documents);
  const chain = mainnetOf(approved.network)?.addresses;
  return (['evm', 'solana'] as const).flatMap((kind) => {
    const same = all.filter(({ demand }) => demand.chain === kind);
    const payee = kind === chain ? approved.payTo : (same[0]?.demand.payTo ?? null);
    const others = same.filter(
      ({ demand: { payTo } }) => payTo === null || payee === null || !isSameAddress(payTo, payee),
    );
    return others.flatMap(strangePayee);
  });
}

/** An entry with two meanings has no payee for the judge, whichever of its members has them. */
function strangePayee(one: PlacedDemand): Diagnostic[] {
  if (!isJsonObject(one.entry)) return [placed({ code: 'entry_not_object', at: '' }, one)];
  const twice = one.demand.payTo === null ? contradictions(one.entry) : [];
  const faults: readonly EntryFault[] = twice.length > 0 ? twice : [{ code: 'several_payees', at: '.payTo' }];
  return faults.map((fault) => placed(fault, one));
}

function dearer(one: PlacedDemand, { amountAtomic }: Offer): Diagnostic[] {
  const { demand, entry, document } = one;
  if (!isJsonObject(entry)) return [];
  if (demand.amountAtomic === null)
    return amountFaults(entry, document.version, true).map((fault) => placed(fault, one));
  const isDearer = demand.amountAtomic > amountAtomic;
  return isDearer ? [placed({ code: 'dearer_entry', at: amountName(entry) }, one)] : [];
}

/** Names the members that differ if there is one entry to compare with, else the list. */
function differences(approved: Offer, body: TermsDocument): readonly Diagnostic[] {
  const read = body.entries.flatMap((entry, index) => {
    const offer = readOffer(entry);
    return offer === null ? [] : [{ entry, offer, index }];
  });
  const [only, second] = read;
  if (only === undefined) {
    const unclear: Diagnostic = { code: 'body_unclear', source: 'body', path: null };
    return [unclear, ...body.faults.filter(({ source }) => source === 'body')];
  }
  const differing = second === undefined ? differingMembers(approved, only.offer, only.entry) : [];
  const path = second === undefined ? `$.accepts[${only.index}]` : '$.accepts';
  const paths = differing.length === 0 ? [path] : differing.map((at) => `${path}${at}`);
  return paths.map((one) => ({ code: 'header_and_body_differ', source: 'body', path: one }));
}

function differingMembers(left: Offer, right: Offer, entry: unknown): string[] {
  const same: readonly (readonly [at: string, isSame: boolean])[] = [
    ['.scheme', left.scheme === right.scheme],
    ['.network', left.network === right.network],
    ['.asset', isSameAddress(left.asset, right.asset)],
    [amountName(entry), left.amountAtomic === right.amountAtomic],
    ['.payTo', isSameAddress(left.payTo, right.payTo)],
  ];
  return same.filter(([, isSame]) => !isSame).map(([at]) => at);
}

function amountName(entry: unknown): string {
  return isJsonObject(entry) && (member(entry, 'amount') ?? null) === null ? '.maxAmountRequired' : '.amount';
}
