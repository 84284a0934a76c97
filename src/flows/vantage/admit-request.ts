import type { NoteKey } from '../../core/log/note.ts';
import { noteKeyText } from '../../core/log/note.ts';
import { parseTargetUrl, type TargetUrl } from '../../core/url/target-url.ts';
import { openRequest } from '../../core/vantage/messages.ts';
import type { VantageRequest } from '../../core/vantage/request-text.ts';
import { CLOCK_SLACK_MS } from '../../core/vantage/vantage-limits.ts';
import type { SeenNonces } from './seen-nonces.ts';

export interface AdmitParts {
  /** Our own name. */
  readonly name: string;
  readonly clients: readonly NoteKey[];
  readonly nonces: SeenNonces;
  readonly now: () => Date;
}

export interface AdmittedRequest {
  readonly request: VantageRequest;
  readonly hash: string;
  readonly client: string;
  readonly target: TargetUrl;
}

export type AdmitFault = 'malformed' | 'unsigned' | 'not_ours' | 'clock' | 'replayed' | 'full' | 'bad_url';

/** From what costs nothing to what is remembered: a stranger gets no further than its signature. */
export function admitRequest(
  note: string,
  { name, clients, nonces, now }: AdmitParts,
): AdmittedRequest | AdmitFault {
  const opened = openRequest(note, clients);
  if (typeof opened === 'string') return opened;
  const { request, hash } = opened;
  if (request.to !== name) return 'not_ours';
  if (Math.abs(now().getTime() - request.at.getTime()) > CLOCK_SLACK_MS) return 'clock';
  const client = noteKeyText(opened.client);
  const nonce = nonces.take(client, request.nonce);
  if (nonce !== 'new') return nonce === 'seen' ? 'replayed' : 'full';
  const reading = parseTargetUrl(request.url);
  return reading.kind === 'target' ? { request, hash, client, target: reading.target } : 'bad_url';
}
