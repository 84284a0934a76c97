import type { PolicyWitness } from '../../../core/log/policy.ts';
import { consistencyProof } from '../../../core/log/prove.ts';
import { addCheckpointText } from '../../../core/log/witness/add-checkpoint.ts';
import { type Cosignature, readCosignature } from '../../../core/log/witness/cosignatures.ts';
import type { AskWitness, WitnessReply } from '../../../ports/log/ask-witness.ts';
import type { LogHead, LogReader } from '../../../ports/log/transparency-log.ts';
import { tileReader } from '../read-tiles.ts';

/** Witnesses give a log a number of requests a day. */
const EVERY_MS = 5_000;
/** A witness that does not answer delays publishing by its timeout, so it is asked less and less often. */
const EVERY_MAX_MS = 60_000;
/** A log that does not grow is cosigned again: clients see that nobody holds a newer checkpoint back. */
const FRESH_SECONDS = 60;
/** One that finds out the size of the witness, one with the right proof, one more for a replica that was faster. */
const REQUESTS_MAX = 3;

export interface AskedWitnessPorts {
  readonly log: Pick<LogReader, 'tile'>;
  readonly ask: AskWitness;
  readonly stopwatch: () => number;
  readonly now: () => Date;
  /** Called when it begins or stops to answer. */
  readonly onChange: (witness: string, isAnswering: boolean, why: string) => void;
}

export type Asked =
  | { readonly kind: 'cosigned'; readonly cosignature: Cosignature }
  /** It has cosigned a larger tree of this log. */
  | { readonly kind: 'ahead'; readonly size: number }
  /** It has cosigned a tree that this one does not continue. */
  | { readonly kind: 'forked' }
  | { readonly kind: 'nothing' };

export interface AskedWitness {
  /** `had` is its cosignature of this very checkpoint. */
  isDue(had: Cosignature | undefined): boolean;
  ask(head: LogHead, note: string): Promise<Asked>;
  /** It said that it has a larger tree or another one, and a quorum of the others says that it has not: its word does not count. */
  isOverruled(): void;
  /** Remembers a cosignature that some process has got. */
  saw(cosignature: Cosignature | undefined): void;
  /** POSIX seconds of its last cosignature; null before the first. */
  lastTime(): number | null;
}

/** What this process knows about one witness. */
export function askedWitness({ name, key, url }: PolicyWitness, ports: AskedWitnessPorts): AskedWitness {
  const { stopwatch, now } = ports;
  const kept: Kept = {
    origin: '',
    size: 0,
    askedAt: Number.NEGATIVE_INFINITY,
    failures: 0,
    isAnswering: null,
    time: null,
  };
  const seconds = () => Math.floor(now().getTime() / 1_000);
  const note = (isAnswering: boolean, why: string) => {
    kept.failures = isAnswering ? 0 : kept.failures + 1;
    if (kept.isAnswering !== isAnswering) ports.onChange(name, isAnswering, why);
    kept.isAnswering = isAnswering;
  };
  const saw = (cosignature: Cosignature | undefined) => {
    if (cosignature !== undefined) kept.time = Math.max(kept.time ?? 0, cosignature.time);
  };
  const request = async ({ tree, size }: LogHead, checkpoint: string): Promise<WitnessReply> => {
    const proof = await consistencyProof(kept.size, size, tileReader(ports.log, tree));
    return ports.ask(url ?? '', addCheckpointText({ oldSize: kept.size, proof, note: checkpoint }));
  };
  const judge = (reply: Exclude<WitnessReply, Conflict>, { size }: LogHead, checkpoint: string): Asked => {
    if (reply.kind === 'inconsistent') return { kind: 'forked' };
    const cosignature =
      reply.kind === 'cosigned' ? readCosignature(checkpoint, reply.lines, key, seconds()) : null;
    if (cosignature === null) {
      note(false, reply.kind === 'failed' ? reply.why : 'its cosignature does not verify');
      return { kind: 'nothing' };
    }
    kept.size = size;
    saw(cosignature);
    note(true, 'cosigned');
    return { kind: 'cosigned', cosignature };
  };
  return {
    isDue(had) {
      // A cosignature in the store does not say that the witness has nothing newer: this process asks once in any case.
      const isFirst = kept.askedAt === Number.NEGATIVE_INFINITY;
      const isWanted = isFirst || had === undefined || seconds() - had.time >= FRESH_SECONDS;
      const pause = Math.min(EVERY_MAX_MS, EVERY_MS * 2 ** Math.max(0, kept.failures - 1));
      return isWanted && stopwatch() - kept.askedAt >= pause;
    },
    async ask(head, checkpoint) {
      kept.askedAt = stopwatch();
      if (kept.origin !== head.origin) Object.assign(kept, { origin: head.origin, size: 0 });
      for (let requests = 0; requests < REQUESTS_MAX && kept.size <= head.size; requests += 1) {
        const reply = await request(head, checkpoint);
        if (reply.kind !== 'conflict') return judge(reply, head, checkpoint);
        kept.size = reply.size;
      }
      if (kept.size > head.size) return { kind: 'ahead', size: kept.size };
      note(false, 'it names another size each time');
      return { kind: 'nothing' };
    },
    isOverruled() {
      kept.size = 0;
      note(false, 'it says that it has another tree of this log, and a quorum of the others does not');
    },
    saw,
    lastTime: () => kept.time,
  };
}

type Conflict = { readonly kind: 'conflict' };

interface Kept {
  origin: string;
  /** The last size that it is known to have; 0 finds out. */
  size: number;
  askedAt: number;
  failures: number;
  isAnswering: boolean | null;
  time: number | null;
}
