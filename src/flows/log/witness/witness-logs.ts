import { parseCheckpoint, type TreeHead } from '../../../core/log/checkpoint.ts';
import { cosign, type NoteKey, type NoteSigner, noteText, openNote } from '../../../core/log/note.ts';
import {
  judgeCheckpoint,
  openRequest,
  type RequestFault,
  type SignedRequest,
} from '../../../core/log/witness/judge-checkpoint.ts';
import { originHash } from '../../../core/log/witness/origin-hash.ts';
import type { WitnessState } from '../../../ports/log/witness-state.ts';

export interface WitnessParts {
  /** The keys of the logs that are witnessed; a key has the name of its log. */
  readonly logs: readonly NoteKey[];
  readonly signer: NoteSigner;
  readonly state: WitnessState;
  readonly now: () => Date;
}

export type WitnessAnswer =
  | { readonly kind: RequestFault | 'inconsistent' }
  | { readonly kind: 'conflict'; readonly size: number }
  | { readonly kind: 'cosigned'; readonly lines: string };

export interface Witness {
  /** The body of add-checkpoint. */
  add(body: string): WitnessAnswer;
  /** The last checkpoint of a log, cosigned; null when there is none. */
  checkpoint(originHash: string): string | null;
}

/** The same checkpoint again so soon gets the same cosignature: a stranger must not make us write all the time. */
const SAME_ANSWER_SECONDS = 5;

/** A witness of c2sp.org/tlog-witness. No await: two requests cannot both grow the same checkpoint. */
export function createWitness(parts: WitnessParts): Witness {
  const { logs, signer, state, now } = parts;
  const known = new Set(logs.map(({ name }) => originHash(name)));
  return {
    add(body) {
      const request = openRequest(body, logs);
      if (typeof request === 'string') return { kind: request };
      const name = originHash(request.head.origin);
      const last = lastOf(state.read(name), request.head.origin, parts);
      const judged = judgeCheckpoint(request, last?.head ?? null);
      if (judged.kind === 'conflict') return judged;
      if (judged.kind === 'inconsistent') {
        const { evidence: kind } = judged;
        const text = `${last?.note ?? ''}\n${body}`;
        if (kind !== null) state.keepEvidence({ kind, at: now(), checkpoint: request.text, text });
        return { kind: 'inconsistent' };
      }
      const seconds = Math.floor(now().getTime() / 1_000);
      const given = last === null ? null : givenBefore(request, last, seconds, parts);
      if (given !== null) return { kind: 'cosigned', lines: given };
      const lines = cosign(request.text, seconds, signer);
      state.replace(name, `${request.text}\n${request.signatures}${lines}`);
      return { kind: 'cosigned', lines };
    },
    checkpoint: (name) => (known.has(name) ? state.read(name) : null),
  };
}

interface Last {
  readonly head: TreeHead;
  readonly note: string;
}

/** A damaged file must not pass for a log that was never seen: it would let that log begin again. */
function lastOf(note: string | null, origin: string, { logs, signer }: WitnessParts): Last | null {
  if (note === null) return null;
  const opened = openNote(note, [...logs.filter(({ name }) => name === origin), signer.key]);
  const head = parseCheckpoint(noteText(note) ?? '');
  // Unsigned: by keys that were replaced since.
  const isSound = typeof opened !== 'string' || opened === 'unsigned';
  if (!isSound || head?.origin !== origin) throw new Error(`the kept checkpoint of ${origin} is damaged`);
  return { head, note };
}

function givenBefore(
  { text }: SignedRequest,
  { note }: Last,
  seconds: number,
  { signer }: WitnessParts,
): string | null {
  if (noteText(note) !== text) return null;
  const opened = openNote(note, [signer.key]);
  const given = typeof opened === 'string' ? undefined : opened.signedBy[0];
  if (given === undefined || given.time === null) return null;
  const age = seconds - given.time;
  return age >= 0 && age < SAME_ANSWER_SECONDS ? given.line : null;
}
