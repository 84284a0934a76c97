import type { Outcome } from '../../../cli/exit-code.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { receiptKind } from '../../../core/receipt/receipt-id.ts';
import { faultOfWords } from '../../../core/statement/correction.ts';
import { type Corrected, correctVerdict } from '../../../flows/log/correct-verdict.ts';
import { secretOf } from '../../build/keep-secret.ts';
import { SYSTEM } from '../../build/system.ts';
import type { Output } from '../output.ts';
import { withUsedStore } from '../with-used-store.ts';
import { faultOfKeys, signSnapshotAgain } from './sign-snapshot-again.ts';

const VERDICTS = ['pay', 'skip', 'recheck'] as const;

/** assay correct: says in public that a verdict was wrong. */
export async function runCorrect(
  given: Arguments,
  output: Output,
  environment?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const [receiptId = ''] = given.words;
  const is = VERDICTS.find((verdict) => verdict === given.text('--verdict'));
  if (is === undefined) return { invalid: `--verdict must be one of ${VERDICTS.join(', ')}` };
  const because = given.text('--because') ?? '';
  const fault = faultOfWords(because);
  if (fault !== null) return { invalid: `--because ${fault}` };
  if (receiptKind(receiptId) === null) {
    return { invalid: 'the id of a receipt is sc- and 16, or 10 hexadecimal characters' };
  }
  const isOfCrawl = receiptKind(receiptId) === 'crawl';
  return withUsedStore(output, environment, async (store, config) => {
    const keys = isOfCrawl ? await faultOfKeys(store, config, secretOf(config)) : null;
    if (keys !== null) return output.fail(keys);
    const result = await correctVerdict({ receiptId, at: SYSTEM.now(), is, because }, store);
    // Also where the verdict stands: the command may have died before it came to this.
    const isSaid = result.kind === 'corrected' || result.kind === 'stands';
    if (isOfCrawl && isSaid) await signSnapshotAgain(store, config);
    if (result.kind !== 'corrected') return output.fail(refusal(receiptId, result));
    const { id, was, text } = result.correction;
    const entry = `correction:${id}`;
    if (given.has('--json')) output.json({ id, was, is, because, text, log_entry: entry });
    else
      output.print(
        `corrected  ${receiptId}: ${was} was wrong, ${is} is right\n  log entry  ${entry}\n  text       ${text}`,
      );
    return 0;
  });
}

function refusal(id: string, result: Exclude<Corrected, { readonly kind: 'corrected' }>): string {
  switch (result.kind) {
    case 'unknown_receipt':
      return `no published receipt has the id ${id}`;
    case 'withdrawn':
      return `${id} was withdrawn at ${result.withdrawal.at.toISOString()}: there is nothing to correct`;
    case 'stands':
      return `the verdict of ${id} is that already`;
  }
}
