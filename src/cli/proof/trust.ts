import { parseCheckpoint, type TreeHead } from '../../core/log/checkpoint.ts';
import { type NoteKey, noteKeyText, noteText, openNote, parseNoteKey } from '../../core/log/note.ts';
import { type Policy, parsePolicy } from '../../core/log/policy.ts';
import { promiseKeyIn } from '../../core/verify/promise-step.ts';
import type { SeenHead, Split } from './growth.ts';
import { followEpoch, followKey } from './learn-keys.ts';
import { LogAway, type LogFiles, textFile } from './log-files.ts';
import type { LogMemory, Remembered } from './log-memory.ts';

/** Whom to believe about a log: the policy that was given or seen first, and the keys that the log announced since. */
export interface Trust {
  readonly policy: Policy;
  readonly promiseKey: NoteKey | null;
  /** The origin of the first epoch. */
  readonly base: string;
  /** Under which the log is remembered. */
  readonly name: string;
  /** To be kept once all else is verified. */
  readonly remembered: Remembered;
  /** False when this log is seen for the first time. */
  readonly isKnown: boolean;
  /** What went wrong between then and now. */
  readonly splits: readonly Split[];
}

const POLICY_BYTES = 262_144;
/** At a visit: each may cost a walk through the log. */
const NEW_KEYS_MAX = 8;

/** Trusts the policy that was given; else the one that is remembered; else, the first time, the one that the service shows. */
export async function establishTrust(
  server: string,
  { files, memory, given }: { files: LogFiles; memory: LogMemory; given: string | null },
): Promise<Trust> {
  const shown = await textFile(files, 'policy', POLICY_BYTES);
  const first = given ?? shown;
  if (first === null) throw new LogAway('has no transparency log');
  const shownPolicy = readPolicy(shown ?? first);
  const trust = await trustIn(first, {
    memory,
    isGiven: given !== null,
    wanted: shownPolicy.logs[0]?.key.name,
    server,
  });
  const before = await memory.nameAt(server);
  const renamed = given === null && before !== null && before !== trust.name && !isLoopback(server);
  if (renamed) return { ...trust, splits: [...trust.splits, renamedLog(before, trust, first)] };
  return learnAll(trust, shownPolicy, { files, isGiven: given !== null });
}

/** Whether a log is there at all. */
export async function hasPolicy(files: LogFiles): Promise<boolean> {
  const shown = await textFile(files, 'policy', POLICY_BYTES).catch((fault: unknown) => {
    if (fault instanceof LogAway) return null;
    throw fault;
  });
  return shown !== null;
}

/** Without a network: what is remembered about the log of this checkpoint, or the policy that was given. */
export async function rememberedTrust(
  note: string,
  { memory, given, server }: { memory: LogMemory; given: string | null; server: string },
): Promise<Trust | null> {
  const wanted = parseCheckpoint(noteText(note) ?? '')?.origin ?? '';
  if (given !== null) return trustIn(given, { memory, isGiven: true, wanted });
  const base = baseOf(wanted);
  const remembered = await memory.read(base);
  if (remembered !== null) return trustIn(remembered.policy, { memory, isGiven: false, wanted });
  const there = (await memory.nameAt(server)) ?? '';
  const known = there.startsWith(`${base} `) ? await memory.read(there) : null;
  if (known === null) return null;
  const trust = await trustIn(known.policy, { memory, isGiven: false, wanted, server });
  // Many logs have this name: one that none of the remembered keys has signed is another one, not a forgery.
  const keys = trust.policy.logs.map(({ key }) => key);
  return openNote(note, keys) === 'unsigned' ? null : trust;
}

interface TrustParts {
  readonly memory: LogMemory;
  readonly isGiven: boolean;
  readonly wanted?: string | undefined;
  /** None when no service is asked. */
  readonly server?: string | null;
}

async function trustIn(text: string, { memory, isGiven, wanted, server = null }: TrustParts): Promise<Trust> {
  const { logs } = readPolicy(text);
  // A policy may name the logs of several services.
  const log = logs.find(({ key }) => key.name === wanted) ?? logs.find(isEpochOf(wanted)) ?? logs[0];
  if (log === undefined) throw new LogAway('has a policy without a log');
  const base = baseOf(log.key.name);
  const elsewhere = isGiven ? null : await nameElsewhere(base, server, memory);
  const vkeys = logs.filter(({ key }) => key.name === log.key.name).map(({ key }) => noteKeyText(key));
  const name =
    elsewhere ?? (await rotatedName(base, vkeys, server, memory)) ?? nameOf(base, noteKeyText(log.key));
  const known = await memory.read(name);
  const anchor = isGiven ? text : (known?.policy ?? text);
  const learned = isGiven ? learnedUnder(text, known) : (known?.learned ?? []);
  const policy = withKeys(readPolicy(anchor), learned);
  return {
    policy: isGiven ? policy : onlyEpochsOf(policy, base),
    promiseKey: promiseKeyIn(anchor, base),
    ...{ base, name },
    remembered: { assay: 'log-memory/1', policy: anchor, learned, checkpoints: known?.checkpoints ?? [] },
    isKnown: known !== null,
    splits: [],
  };
}

/** A service speaks for its own log alone: nothing is remembered of another one, so that it could be another one every time. */
function onlyEpochsOf(policy: Policy, base: string): Policy {
  return { ...policy, logs: policy.logs.filter(({ key }) => prefixOf(base, key.name) !== null) };
}

/** Of what was learned, only rotations of the logs that this very policy names: the log itself has announced those. */
function learnedUnder(given: string, known: Remembered | null): string[] {
  const names = new Set(readPolicy(given).logs.map(({ key }) => key.name));
  const learned = known?.policy === given ? known.learned : [];
  return learned.filter((vkey) => names.has(parseNoteKey(vkey)?.name ?? ''));
}

/**
 * A key that nobody vouches for is not learned: what it signs is then signed by a stranger. The first entry of an epoch has only the
 * word of the service, so that a policy that was given is not extended by it.
 */
async function learnAll(
  trust: Trust,
  shown: Policy,
  { files, isGiven }: { files: LogFiles; isGiven: boolean },
): Promise<Trust> {
  let now = trust;
  const isTrusted = (key: NoteKey) =>
    now.policy.logs.some((log) => noteKeyText(log.key) === noteKeyText(key));
  for (const { key } of shown.logs.filter((log) => !isTrusted(log.key)).slice(0, NEW_KEYS_MAX)) {
    const prefix = prefixOf(now.base, key.name);
    if (prefix === null) continue;
    const isSameLog = now.policy.logs.some((log) => log.key.name === key.name);
    if (isGiven && !isSameLog) continue;
    const place = { files, prefix, prefixOf: (origin: string) => prefixOf(trust.base, origin) };
    const asked = { key, policy: now.policy, heads: headsIn(now) };
    const found = isSameLog ? await followKey(asked, place) : await followEpoch(asked, place);
    const learned = found.isLearned ? [...now.remembered.learned, noteKeyText(key)] : now.remembered.learned;
    now = {
      ...now,
      policy: withKeys(now.policy, found.isLearned ? [noteKeyText(key)] : []),
      remembered: { ...now.remembered, learned },
      splits: [...now.splits, ...found.splits],
    };
  }
  return now;
}

/** The remembered heads, one an epoch. They were verified when they were kept. */
export function headsIn({ remembered }: Pick<Trust, 'remembered'>): readonly SeenHead[] {
  return remembered.checkpoints.flatMap(({ note }) => {
    const head: TreeHead | null = parseCheckpoint(noteText(note) ?? '');
    return head === null ? [] : [{ note, head }];
  });
}

const LATER_EPOCH = /(?<=\/log)\/[1-9][0-9]{0,5}$/;

function baseOf(origin: string): string {
  return origin.replace(LATER_EPOCH, '');
}

function isEpochOf(origin = ''): (log: Policy['logs'][number]) => boolean {
  return ({ key }) => baseOf(key.name) === baseOf(origin);
}

/** Where the files of an epoch are, below `/log/`. */
export function prefixOf(base: string, origin: string): string | null {
  if (origin === base) return '';
  const [, epoch] = origin.startsWith(`${base}/`)
    ? (/^\/([1-9][0-9]{0,5})$/.exec(origin.slice(base.length)) ?? [])
    : [];
  return epoch === undefined ? null : `${epoch}/`;
}

/** A log without a public name is one of many: only its key tells it from the others. */
function nameOf(base: string, vkey: string): string {
  return base.startsWith('localhost/') ? `${base} ${vkey}` : base;
}

/** The name that such a log had at this server before, if it has one of the keys that are remembered under it. */
async function rotatedName(
  base: string,
  vkeys: readonly string[],
  server: string | null,
  memory: LogMemory,
): Promise<string | null> {
  const before = server === null ? null : await memory.nameAt(server);
  if (before === null || !before.startsWith(`${base} `) || nameOf(base, '') === base) return null;
  const known = await memory.read(before);
  const policy = known === null ? null : withKeys(readPolicy(known.policy), known.learned);
  return policy?.logs.some(({ key }) => vkeys.includes(noteKeyText(key))) === true ? before : null;
}

/** A service cannot take the name of a log at another host that was not seen yet. A name that is known belongs to its key. */
async function nameElsewhere(base: string, server: string | null, memory: LogMemory): Promise<string | null> {
  const [host = ''] = base.split('/');
  if (server === null || isLoopback(server) || ['localhost', new URL(server).host].includes(host))
    return null;
  const name = `${base} at ${server}`;
  if ((await memory.read(base)) === null) return name;
  // With a policy that was given, it was verified as the log of that name: that is what it stays.
  const isTheirs = (await memory.nameAt(server)) === base || (await memory.read(name)) === null;
  return isTheirs ? null : name;
}

function isLoopback(server: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(server).hostname);
}

function renamedLog(before: string, { name }: Trust, policy: string): Split {
  return { says: `is ${name} now and was ${before} before, without an epoch in between`, notes: [policy] };
}

function withKeys(policy: Policy, vkeys: readonly string[]): Policy {
  const known = new Set(policy.logs.map(({ key }) => noteKeyText(key)));
  const more = vkeys
    .filter((vkey) => !known.has(vkey))
    .map(parseNoteKey)
    .filter((key) => key !== null);
  return { ...policy, logs: [...policy.logs, ...more.map((key) => ({ key, url: null }))] };
}

/** Throws for what is no policy: it proves nothing. */
export function readPolicy(text: string): Policy {
  const policy = parsePolicy(text);
  if ('fault' in policy) throw new LogAway(`has no policy that can be read (line ${policy.line})`);
  return policy;
}
