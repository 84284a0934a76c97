import { VANTAGE_TIMEOUT_MS } from '../../core/limits.ts';
import { type NoteSigner, noteKeyText } from '../../core/log/note.ts';
import type { MicroUsd } from '../../core/money/micro-usd.ts';
import { signRequest } from '../../core/vantage/messages.ts';
import type { ListedVantage } from '../../core/vantage/vantage-files.ts';
import type { ProbeRequest } from '../../ports/prober.ts';
import type { Vantages } from '../../ports/vantages.ts';
import { deadlineIn } from '../probe/deadline.ts';
import { askVantage, type VantageOutcome, type VantageReply } from './ask-vantage.ts';
import { createVantageHealth, type TurnEnd, type VantageShare } from './vantage-health.ts';

/** `seconds` is null when nothing was sent. */
export type OnVantageAnswer = (vantage: string, outcome: VantageOutcome, seconds: number | null) => void;

export interface HttpVantageParts {
  readonly vantages: readonly ListedVantage[];
  readonly quorum: number;
  readonly fromPrice: MicroUsd;
  /** The key by which vantages know us; it signs nothing else. */
  readonly signer: NoteSigner;
  readonly now: () => Date;
  /** Milliseconds that never jump. */
  readonly stopwatch: () => number;
  readonly entropy: (bytes: number) => Uint8Array;
  readonly timeoutMs?: number;
  readonly share?: VantageShare | undefined;
  readonly onAnswer: OnVantageAnswer;
  /** A vantage is away, or is back. */
  readonly onChange: (vantage: string, isAnswering: boolean, why: VantageOutcome) => void;
}

const NONCE_BYTES = 16;

/** Vantages that are asked over HTTP, on connections that are kept. */
export function createHttpVantages(parts: HttpVantageParts): Vantages {
  const asking = parts.vantages.map((vantage) => createAsk(vantage, parts));
  const keys = new Set(parts.vantages.map(({ key }) => noteKeyText(key)));
  return {
    needed: parts.quorum,
    has: (vantage) => keys.has(vantage),
    fromPrice: parts.fromPrice,
    async ask(request, signal) {
      const replies = await Promise.all(asking.map((ask) => ask(request, signal)));
      return replies.flatMap((reply) => (reply.outcome === 'ok' ? [reply.view] : []));
    },
  };
}

type Ask = (request: ProbeRequest, signal: AbortSignal | undefined) => Promise<VantageReply>;

function createAsk(vantage: ListedVantage, parts: HttpVantageParts): Ask {
  const { stopwatch, onAnswer, onChange } = parts;
  const last: { outcome: VantageOutcome } = { outcome: 'ok' };
  const tell = (isAnswering: boolean) => onChange(vantage.name, isAnswering, last.outcome);
  const health = createVantageHealth(stopwatch, tell, parts.share);
  const unsent = (outcome: 'paused' | 'busy' | 'unaskable' | 'aborted'): VantageReply => {
    onAnswer(vantage.name, outcome, null);
    return { outcome };
  };
  return async (request, signal) => {
    if (isAborted(signal)) return unsent('aborted');
    const sent = signedFor(vantage, request, parts);
    if (sent === null) return unsent('unaskable');
    const turn = health.begin();
    if (typeof turn === 'string') return unsent(turn);
    const from = stopwatch();
    const deadline = deadlineIn(parts.timeoutMs ?? VANTAGE_TIMEOUT_MS, signal);
    const reply = await askVantage(vantage, sent, { now: parts.now, signal: deadline.signal });
    deadline.close();
    const outcome = isAborted(signal) ? 'aborted' : reply.outcome;
    last.outcome = outcome;
    turn.end(endOf(outcome));
    onAnswer(vantage.name, outcome, (stopwatch() - from) / 1_000);
    return outcome === 'aborted' ? { outcome } : reply;
  };
}

/** Null for a request that is longer than a vantage reads. */
function signedFor(
  { key }: ListedVantage,
  { target, method, body }: ProbeRequest,
  { signer, now, entropy }: HttpVantageParts,
) {
  const nonce = Buffer.from(entropy(NONCE_BYTES)).toString('base64url');
  const request = { at: now(), body: body ?? null, method, nonce, to: key.name, url: target.href };
  return signRequest(request, signer);
}

/** A limit is an answer, too: which requests meet one, a seller could choose. */
function endOf(outcome: VantageOutcome): TurnEnd {
  if (outcome === 'aborted') return 'unknown';
  return outcome === 'ok' || outcome === 'limited' ? 'answered' : 'failed';
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
