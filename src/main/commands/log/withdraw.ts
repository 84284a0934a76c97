import { join } from 'node:path';
import type { Store } from '../../../adapters/store/store.ts';
import type { Outcome } from '../../../cli/exit-code.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { WITHDRAWAL_REASONS } from '../../../core/log/entry.ts';
import { receiptKind } from '../../../core/receipt/receipt-id.ts';
import { withdrawalStub } from '../../../core/statement/withdrawal-stub.ts';
import {
  type WantedWithdrawal,
  type Withdrawn,
  withdrawReceipts,
} from '../../../flows/log/withdraw-receipts.ts';
import { secretOf } from '../../build/keep-secret.ts';
import { requireSameSecret } from '../../build/same-secret.ts';
import { SYSTEM } from '../../build/system.ts';
import type { Config } from '../../config/config.ts';
import type { Output } from '../output.ts';
import { withUsedStore } from '../with-used-store.ts';
import { faultOfKeys, signSnapshotAgain } from './sign-snapshot-again.ts';

/** assay withdraw: takes a receipt back, or every receipt of its URL. */
export async function runWithdraw(
  given: Arguments,
  output: Output,
  environment?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const [id = ''] = given.words;
  const because = WITHDRAWAL_REASONS.find((reason) => reason === given.text('--because'));
  if (because === undefined) {
    return { invalid: `--because must be one of ${WITHDRAWAL_REASONS.join(', ')}` };
  }
  if (receiptKind(id) === null)
    return { invalid: 'the id of a receipt is sc- and 16, or 10 hexadecimal characters' };
  const wanted = { id, because, at: SYSTEM.now(), isOfUrl: given.has('--all-of-url') };
  let emptied = async (): Promise<string | null> => null;
  const code = await withUsedStore(output, environment, async (store, config) => {
    await requireSameSecret(secretOf(config), store.secretMark);
    // The file of verdicts has a row for every endpoint of the latest run.
    const isInSnapshot = receiptKind(id) === 'crawl' || wanted.isOfUrl;
    const fault = isInSnapshot ? await faultOfKeys(store, config, secretOf(config)) : null;
    if (fault !== null) return output.fail(fault);
    const result = await withdraw(wanted, store, output);
    // Also of what was withdrawn before: the command may have died before it came to this.
    if (isInSnapshot && result.kind !== 'unknown_receipt') await signSnapshotAgain(store, config);
    if (result.kind !== 'withdrawn') return output.fail(refusal(id, result));
    emptied = () => whatIsLeft(config);
    if (given.has('--json')) output.json(withdrawnJson(result));
    else output.print(withdrawnText(result));
    return 0;
  });
  const left = await emptied();
  if (left !== null) output.note(left);
  return code;
}

async function withdraw(wanted: WantedWithdrawal, store: Store, output: Output): Promise<Withdrawn> {
  const result = await withdrawReceipts(wanted, store);
  if (result.kind === 'withdrawn') {
    const what = wanted.isOfUrl ? `${wanted.id} and every other receipt of its URL` : wanted.id;
    output.note(`withdrew ${what}: the text is removed, the hash stays in the log`);
  }
  return result;
}

function refusal(id: string, result: Exclude<Withdrawn, { readonly kind: 'withdrawn' }>): string {
  switch (result.kind) {
    case 'unknown_receipt':
      return `no published receipt has the id ${id}`;
    case 'already': {
      const { at, because } = result.withdrawal;
      return `${id} was withdrawn at ${at.toISOString()} (${because})`;
    }
  }
}

type Done = Extract<Withdrawn, { readonly kind: 'withdrawn' }>;

function withdrawnText({ withdrawals, others, isBeingCrawled, isArchived }: Done): string {
  return [
    ...withdrawals.flatMap(({ id, sha256, because }) => [
      `withdrawn  ${id} (${because})`,
      `  sha256     ${sha256}`,
      `  log entry  ${entryId(id)}`,
    ]),
    ...(others.length === 0
      ? ['No other receipt of this URL is left.']
      : [`Other receipts of this URL are left (${others.length}): ${others.join(' ')}`]),
    ...(isBeingCrawled
      ? ['A crawl in progress has this URL, too: withdraw its receipt when it is published.']
      : []),
    ...(isArchived
      ? ['Its text is in the archive of its week (assay retire), where it has to be deleted, too.']
      : []),
    'Caches outside keep their copies: purge your CDN. Older backups still contain the text.',
  ].join('\n');
}

function withdrawnJson({ withdrawals, others, isBeingCrawled, isArchived }: Done) {
  return {
    withdrawn: withdrawals.map((one) => ({ ...withdrawalStub(one), log_entry: entryId(one.id) })),
    others,
    being_crawled: isBeingCrawled,
    archived: isArchived,
  };
}

function entryId(id: string): string {
  return `withdrawal:${id}`;
}

/** What the files of the database may still have of a deleted row. */
async function whatIsLeft({ databaseUrl, dataDir }: Config): Promise<string | null> {
  if (databaseUrl !== null)
    return 'PostgreSQL keeps deleted rows until they are vacuumed: vacuum the database, and see docs/operations.md';
  const { emptyWal } = await import('../../../adapters/store/sqlite/open.ts');
  const isEmpty = await emptyWal(join(dataDir, 'assay.db'));
  return isEmpty
    ? null
    : 'the write-ahead log of the database is in use and may have the text until its next checkpoint';
}
