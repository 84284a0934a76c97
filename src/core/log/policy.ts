import { parseDecimal } from './checkpoint.ts';
import { type NoteKey, parseNoteKey } from './note.ts';
import { isSameBytes } from './tree-hash.ts';

export interface PolicyLog {
  readonly key: NoteKey;
  readonly url: string | null;
}

export interface PolicyWitness {
  /** Has a meaning inside of the policy only. */
  readonly name: string;
  readonly key: NoteKey;
  readonly url: string | null;
}

export interface PolicyGroup {
  readonly name: string;
  readonly threshold: number;
  readonly members: readonly string[];
}

/** Which logs and how many witnesses make a checkpoint valid (c2sp.org/tlog-policy). */
export interface Policy {
  readonly logs: readonly PolicyLog[];
  readonly witnesses: readonly PolicyWitness[];
  /** A group names only groups before it. */
  readonly groups: readonly PolicyGroup[];
  /** A witness, a group, or `none`. */
  readonly quorum: string;
}

export interface PolicyFault {
  readonly fault: string;
  /** Counted from 1. */
  readonly line: number;
}

const NONE = 'none';
const POLICY_MAX_CHARS = 262_144;
const KIND_MAX = 256;

export function parsePolicy(text: string): Policy | PolicyFault {
  const lines = text.split('\n');
  if (text.length > POLICY_MAX_CHARS) return { fault: 'The policy is too long.', line: 1 };
  // A file that was cut off could name another quorum than its author did.
  if (lines.pop() !== '')
    return { fault: 'The last line does not end with a newline.', line: lines.length + 1 };
  const draft: Draft = { logs: [], witnesses: [], groups: [], members: new Set(), quorum: null };
  for (const [at, line] of lines.entries()) {
    const fault = addLine(draft, line);
    if (fault !== null) return { fault, line: at + 1 };
  }
  const { logs, witnesses, groups, quorum } = draft;
  if (quorum === null) return { fault: 'There is no quorum line.', line: Math.max(1, lines.length) };
  return { logs, witnesses, groups, quorum };
}

/** `cosigned` has the policy's names of the witnesses whose cosignatures were verified. */
export function isQuorum(policy: Policy, cosigned: ReadonlySet<string>): boolean {
  if (policy.quorum === NONE) return true;
  // Names of strangers and of groups in the argument must not count.
  const reached = new Set(policy.witnesses.map(({ name }) => name).filter((name) => cosigned.has(name)));
  for (const { name, threshold, members } of policy.groups) {
    if (members.filter((member) => reached.has(member)).length >= threshold) reached.add(name);
  }
  return reached.has(policy.quorum);
}

/** The same policy with the keys of one log, so that no other log of it can speak for that one. */
export function onlyLog(policy: Policy, origin: string): Policy {
  return { ...policy, logs: policy.logs.filter(({ key }) => key.name === origin) };
}

interface Draft {
  readonly logs: PolicyLog[];
  readonly witnesses: PolicyWitness[];
  readonly groups: PolicyGroup[];
  /** Of any group. */
  readonly members: Set<string>;
  quorum: string | null;
}

/** Null when the line is fine. */
function addLine(draft: Draft, line: string): string | null {
  if (hasForbidden(line)) return 'The line has a control character.';
  const [keyword, ...items] = line.split(/[ \t]+/).filter((item) => item !== '');
  if (keyword === undefined || keyword.startsWith('#')) return null;
  switch (keyword) {
    case 'log':
      return addLog(draft, items);
    case 'witness':
      return addWitness(draft, items);
    case 'group':
      return addGroup(draft, items);
    case 'quorum':
      return setQuorum(draft, items);
    default:
      return 'A line starts with log, witness, group or quorum.';
  }
}

function addLog({ logs }: Draft, [vkey = '', url, ...rest]: readonly string[]): string | null {
  const key = parseNoteKey(vkey);
  if (rest.length > 0) return 'A log has a key and at most a URL.';
  if (key?.type !== 1) return 'A log needs an Ed25519 verifier key.';
  if (hasKey(logs, key)) return 'Another log has the same public key.';
  if (logs.length === KIND_MAX) return 'There are too many logs.';
  logs.push({ key, url: url ?? null });
  return null;
}

function addWitness(draft: Draft, [name = '', vkey = '', url, ...rest]: readonly string[]): string | null {
  const { witnesses } = draft;
  const key = parseNoteKey(vkey);
  if (rest.length > 0) return 'A witness has a name, a key and at most a URL.';
  if (key?.type !== 4) return 'A witness needs an Ed25519 cosignature key.';
  if (hasKey(witnesses, key)) return 'Another witness has the same public key.';
  if (witnesses.length === KIND_MAX) return 'There are too many witnesses.';
  if (isTaken(draft, name)) return 'The name is taken.';
  witnesses.push({ name, key, url: url ?? null });
  return null;
}

function addGroup(draft: Draft, [name = '', count = '', ...members]: readonly string[]): string | null {
  if (members.length === 0) return 'A group has a name, a threshold and at least one member.';
  const threshold = count === 'all' ? members.length : count === 'any' ? 1 : (parseDecimal(count) ?? 0);
  if (threshold < 1 || threshold > members.length)
    return 'The threshold is not between 1 and the number of members.';
  if (draft.groups.length === KIND_MAX) return 'There are too many groups.';
  for (const member of members) {
    if (!isDefined(draft, member)) return 'A member is not defined on a line before.';
    if (draft.members.has(member)) return 'A member is listed twice.';
    draft.members.add(member);
  }
  if (isTaken(draft, name)) return 'The name is taken.';
  draft.groups.push({ name, threshold, members });
  return null;
}

function setQuorum(draft: Draft, items: readonly string[]): string | null {
  const [name] = items;
  if (name === undefined || items.length > 1) return 'A quorum is one name.';
  if (draft.quorum !== null) return 'There is a second quorum line.';
  if (name !== NONE && !isDefined(draft, name)) return 'The quorum is not defined on a line before.';
  draft.quorum = name;
  return null;
}

function isDefined({ witnesses, groups }: Draft, name: string): boolean {
  return witnesses.some((one) => one.name === name) || groups.some((one) => one.name === name);
}

function isTaken(draft: Draft, name: string): boolean {
  return name === NONE || isDefined(draft, name);
}

/** The same public key counts, whatever name and id are wrapped around it. */
function hasKey(known: readonly { readonly key: NoteKey }[], { publicKey }: NoteKey): boolean {
  return known.some(({ key }) => isSameBytes(key.publicKey, publicKey));
}

/** Tab is the one control character inside of a line; DEL is one, too. */
function hasForbidden(line: string): boolean {
  for (let at = 0; at < line.length; at += 1) {
    const unit = line.charCodeAt(at);
    if ((unit < 0x20 && unit !== 0x09) || unit === 0x7f) return true;
  }
  return false;
}
