import { type NoteSigner, signNote } from '../../core/log/note.ts';
import { promiseText } from '../../core/log/promise.ts';

/** Typically it takes a second. A missed promise is proof of misbehaviour for ever, and a restart must not make one. */
const PROMISED_MS = 3_600_000;

/** Our signed word that a receipt will be in the log. */
export function makePromise(
  { origin, id, sha256 }: { readonly origin: string; readonly id: string; readonly sha256: Uint8Array },
  now: Date,
  signer: NoteSigner,
): string {
  const by = new Date(now.getTime() + PROMISED_MS);
  return signNote(promiseText({ origin, id, sha256, by }), [signer]);
}
