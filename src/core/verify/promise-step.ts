import { type NoteKey, openNote, parseNoteKey } from '../log/note.ts';
import { type Policy, parsePolicy } from '../log/policy.ts';
import { type LogPromise, parsePromise, promiseName } from '../log/promise.ts';
import { type Hash, isSameBytes } from '../log/tree-hash.ts';
import { type Step, step } from './step.ts';

const PROMISES = /^# promises (\S+)$/gm;
/** By the clock of the verifier. */
const GRACE_MS = 300_000;

/** A policy has no line for this key, so it stands in a comment. One with the logs of several services has a key of each. */
export function promiseKeyIn(policyText: string, origin: string): NoteKey | null {
  const policy = parsePolicy(policyText);
  const names = 'fault' in policy ? [] : policy.logs.map(({ key }) => promiseName(key.name));
  const keys = [...policyText.matchAll(PROMISES)]
    .map(([, vkey = '']) => parseNoteKey(vkey))
    .filter((key) => key?.type === 1);
  const own = keys.find((key) => key?.name === promiseName(origin));
  return own ?? keys.find((key) => key !== null && !names.includes(key.name)) ?? null;
}

export interface PromisedWhat {
  readonly id: string;
  readonly sha256: Hash;
}

/** The promise, or why it is none of this log. */
export function openPromise(note: string, key: NoteKey, policy: Policy): LogPromise | string {
  const opened = openNote(note, [key]);
  if (typeof opened === 'string') return `the promise is not signed by ${key.name}`;
  const promise = parsePromise(opened.text);
  if (promise === null) return `${key.name} signed something that is no promise`;
  const isOurs = policy.logs.some((log) => log.key.name === promise.origin);
  return isOurs ? promise : 'the promise is about another log';
}

/** A promise and the receipt that came of it. */
export function promiseStep(
  note: string | null,
  { key, policy, what }: { key: NoteKey | null; policy: Policy; what: PromisedWhat | null },
  { isLogged, now }: { isLogged: boolean; now: Date },
): Step {
  if (note === null) return step('promise', 'not_checked', 'none in the bundle');
  if (key === null) return step('promise', 'not_checked', 'the policy has no key for promises');
  const promise = openPromise(note, key, policy);
  if (typeof promise === 'string') return step('promise', 'failed', promise);
  if (what === null || promise.id !== what.id)
    return step('promise', 'failed', 'promised for another receipt');
  if (!isSameBytes(promise.sha256, what.sha256))
    return step('promise', 'failed', 'another statement was promised for this receipt');
  if (isLogged) return step('promise', 'ok', `signed by ${key.name}, and kept`);
  return isOverdue(promise, now)
    ? step('promise', 'failed', `not kept: it ended ${promise.by.toISOString()}`)
    : step('promise', 'not_checked', `signed by ${key.name}, until ${promise.by.toISOString()}`);
}

export function isOverdue({ by }: LogPromise, now: Date): boolean {
  return now.getTime() > by.getTime() + GRACE_MS;
}
