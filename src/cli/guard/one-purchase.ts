import { type Evidence, evidenceOf } from '../../guard/evidence/evidence.ts';
import type { Ledger } from '../../guard/ledger/ledger.ts';
import { LedgerFault } from '../../guard/ledger/ledger-fault.ts';
import type { Purchase } from '../../guard/ledger/purchase.ts';
import { bodyText, viewOf } from '../ask/asking.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { requireFile, withLedger } from './open-ledger.ts';
import { purchaseCard } from './purchase-card.ts';
import { asOf } from './purchase-words.ts';

/** Shorter beginnings are typing mistakes: every id begins with `pur_`. */
const BEGINNING_MIN = 8;
const FOUND_MAX = 10_000;

/** assay guard show */
export async function guardShow(given: Arguments, context: CommandContext): Promise<Outcome> {
  return withPurchase(given, context, (purchase) => {
    const now = context.now();
    if (given.has('--json')) {
      const { drafts, ...facts } = evidenceOf(purchase, { now });
      return JSON.stringify(facts);
    }
    return purchaseCard(asOf(purchase, now), viewOf(given, context)).join('\n');
  });
}

/** assay guard evidence */
export async function guardEvidence(given: Arguments, context: CommandContext): Promise<Outcome> {
  return withPurchase(given, context, (purchase) => {
    const evidence: Evidence = evidenceOf(purchase, { now: context.now() });
    return JSON.stringify(evidence, null, 2);
  });
}

async function withPurchase(
  given: Arguments,
  context: CommandContext,
  text: (purchase: Purchase) => string,
): Promise<Outcome> {
  const { out } = context;
  const [id = ''] = given.words;
  return withLedger(given, context, async ({ file, ledger }) => {
    requireFile(file);
    out.write(bodyText(text(await findOne(ledger, id)), out.isTerminal));
    return EXIT.done;
  });
}

async function findOne(ledger: Ledger, id: string): Promise<Purchase> {
  const [exact] = await ledger.find({ id, limit: 1 });
  if (exact !== undefined) return exact;
  const recent = id.length < BEGINNING_MIN ? [] : await ledger.find({ limit: FOUND_MAX });
  const [found, ...others] = recent.filter((one) => one.id.startsWith(id));
  if (others.length > 0) throw new LedgerFault('more than one purchase has an id that begins like this');
  if (found === undefined) throw new LedgerFault('there is no purchase with this id; see assay guard ledger');
  return found;
}
