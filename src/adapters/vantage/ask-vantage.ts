import type { NoteKey } from '../../core/log/note.ts';
import { type SentRequest, viewOf } from '../../core/vantage/messages.ts';
import { ANSWER_MAX_BYTES, CLOCK_SLACK_MS } from '../../core/vantage/vantage-limits.ts';
import type { View } from '../../core/vantage/view.ts';
import { readText } from '../http-client/read-text.ts';

/** What became of one request to a vantage. */
export type VantageOutcome =
  | 'ok'
  /** It answers, and has a limit. */
  | 'limited'
  | 'refused'
  | 'late'
  | 'forged'
  | 'stale'
  | 'too_large'
  | 'unreachable'
  | 'broken'
  /** Nothing was sent. */
  | 'paused'
  | 'busy'
  | 'unaskable'
  | 'aborted';

export type VantageReply =
  | { readonly outcome: 'ok'; readonly view: View }
  | { readonly outcome: Exclude<VantageOutcome, 'ok'> };

export interface AskedVantage {
  readonly key: NoteKey;
  readonly url: string;
}

/** One request to one vantage. Only for addresses that the operator has configured. Never rejects. */
export async function askVantage(
  { key, url }: AskedVantage,
  { note, hash }: SentRequest,
  { now, signal }: { readonly now: () => Date; readonly signal: AbortSignal },
): Promise<VantageReply> {
  const sentAt = now();
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/observe`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8', 'accept-encoding': 'identity' },
      body: note,
      redirect: 'manual',
      signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { outcome: refusalOf(response.status) };
    }
    const text = await readText(response, ANSWER_MAX_BYTES);
    if (text === null) return { outcome: 'too_large' };
    const view = viewOf(text, key, hash);
    if (view === null) return { outcome: 'forged' };
    const at = view.at.getTime();
    const isFresh =
      at >= sentAt.getTime() - CLOCK_SLACK_MS && at <= now().getTime() + CLOCK_SLACK_MS && !signal.aborted;
    return isFresh ? { outcome: 'ok', view } : { outcome: signal.aborted ? 'late' : 'stale' };
  } catch {
    return { outcome: signal.aborted ? 'late' : 'unreachable' };
  }
}

/** Limits of a vantage depend on the target. */
const LIMITS: ReadonlySet<number> = new Set([413, 429]);

function refusalOf(status: number): 'limited' | 'refused' | 'broken' {
  if (LIMITS.has(status)) return 'limited';
  return status >= 500 ? 'broken' : 'refused';
}
