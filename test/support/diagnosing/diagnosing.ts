import { diagnose } from '../../../src/core/diagnose/diagnose.ts';
import { DIAGNOSTICS } from '../../../src/core/diagnose/diagnostic.ts';
import type { ProbeAnswer } from '../../../src/core/verdict/probe-outcome.ts';
import { NOTHING, PROBED_AT, verdictOf } from '../judging.ts';

const PATH =
  /^\$(?:\.\.)?(?:\.?(?:accepts|x402Version|resource|description|mimeType|scheme|network|asset|payTo|amount|maxAmountRequired|maxTimeoutSeconds|validBefore|extra|name|version|feePayer|assetTransferMethod|primaryType|paymentFlow|verifyingContract|chainId)|\[(?:[0-9]|[1-5][0-9]|6[0-4])\])+$/;

/** Where a diagnosis disagrees with the judge, in words; empty when it does not. */
export function disagreements(answer: ProbeAnswer): string[] {
  const { verdict, reason } = verdictOf(answer, NOTHING);
  const found = diagnose(answer, PROBED_AT);
  const errors = found.filter(({ code }) => DIAGNOSTICS[code].level === 'error');
  const isRefused = verdict === 'skip' && (reason !== 'no_paywall' || answer.status === 402);
  const broken: string[] = [];
  if (isRefused && errors.length === 0) broken.push(`${reason} without an error`);
  if (verdict === 'pay' && errors.length > 0) broken.push(`pay with ${errors[0]?.code}`);
  if (found.length > 16) broken.push('more than 16');
  for (const { path, source } of found) {
    if (path !== null && !PATH.test(path)) broken.push('a path with a name of a stranger');
    if (source === 'answer' && path !== null) broken.push('a path without a document');
  }
  return broken;
}
