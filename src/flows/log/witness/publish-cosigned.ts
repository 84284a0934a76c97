import type { NoteSigner } from '../../../core/log/note.ts';
import { isQuorum, type Policy } from '../../../core/log/policy.ts';
import { type Cosignature, cosignaturesOf, latestEach } from '../../../core/log/witness/cosignatures.ts';
import type { Epoch, LogHead, LogStore } from '../../../ports/log/transparency-log.ts';
import { signCheckpoint } from '../grow-log.ts';
import { type Asked, type AskedWitnessPorts, askedWitness } from './asked-witness.ts';

export interface PublishPorts extends AskedWitnessPorts {
  readonly log: LogStore;
  /** Names the witnesses, with their addresses. */
  readonly policy: Policy;
  readonly signersOf: (epoch: Epoch) => readonly NoteSigner[];
}

export interface CosignedPublisher {
  /**
   * Asks the witnesses that are due, all at once, and publishes with whatever came: the quorum is the client's. `behind`: a
   * witness says that it has cosigned more than the store has, or something else, and the others do not overrule it: the store
   * was set back.
   */
  publish(head: LogHead): Promise<'published' | 'behind'>;
  /** Seconds since the last cosignature of each witness; NaN before the first. */
  ages(): ReadonlyMap<string, number>;
}

export function createCosignedPublisher(ports: PublishPorts): CosignedPublisher {
  const { log, policy, now } = ports;
  const keys = policy.witnesses.map(({ key }) => key);
  const all = policy.witnesses.map((witness) => ({ ...witness, asked: askedWitness(witness, ports) }));
  const cosignedBy = (cosignatures: readonly Cosignature[]) =>
    new Set(all.filter(({ key }) => cosignatures.some((one) => one.key === key)).map(({ name }) => name));
  return {
    async publish(head) {
      const { tree, size, published } = head;
      // A store that lost everything has nothing signed; the witnesses are asked about the empty tree.
      const note = head.checkpoint ?? signCheckpoint(head, ports.signersOf(head));
      const had = published?.size === size ? cosignaturesOf(published.note, keys) : [];
      const hadOf = (witness: { readonly key: unknown }) => had.find(({ key }) => key === witness.key);
      for (const one of all) one.asked.saw(hadOf(one));
      const ask = (some: typeof all) =>
        Promise.all(some.map(async (one) => ({ one, answer: await one.asked.ask(head, note) })));
      const due = all.filter((one) => one.asked.isDue(hadOf(one)));
      const answers = await ask(due);
      if ((await objectionsIn(answers, head, log)).length > 0) {
        // What is in the store may be as old as the store: the others are asked now.
        answers.push(...(await ask(all.filter((one) => !due.includes(one)))));
        const agreeing = answers
          .filter(({ answer }) => answer.kind === 'cosigned')
          .map(({ one }) => one.name);
        if (!overrules(policy, new Set(agreeing))) return 'behind';
        for (const { one } of await objectionsIn(answers, head, log)) one.asked.isOverruled();
      }
      const came = answers.flatMap(({ answer }) => (answer.kind === 'cosigned' ? [answer.cosignature] : []));
      const isNew = (published?.size ?? 0) < size;
      if (size === 0 || !(isNew || came.length > 0)) return 'published';
      const cosignatures = latestEach([...had, ...came]);
      const lines = cosignatures.map(({ line }) => line).join('');
      const isCosigned = cosignatures.length > 0 && isQuorum(policy, cosignedBy(cosignatures));
      await log.publish(tree, { size, note: note + lines }, isCosigned);
      return 'published';
    },
    ages: () => new Map(all.map(({ name, asked }) => [name, secondsSince(asked.lastTime(), now())] as const)),
  };
}

/** Those that say that the store was set back. Another process may have grown the log: it stored the larger tree first. */
async function objectionsIn<One extends { readonly answer: Asked }>(
  answers: readonly One[],
  { tree, size }: LogHead,
  log: LogStore,
): Promise<readonly One[]> {
  const isMore = (answer: Asked, than: number) => answer.kind === 'ahead' && answer.size > than;
  const stored = answers.some(({ answer }) => isMore(answer, size)) ? ((await log.head(tree))?.size ?? 0) : 0;
  const most = Math.max(size, stored);
  return answers.filter(({ answer }) => answer.kind === 'forked' || isMore(answer, most));
}

/**
 * Nobody signs an objection, so one witness could stop a log with a lie. Where the witnesses that cosign are a quorum, and all
 * others together are none, no quorum has ever cosigned another tree without one of them.
 */
function overrules(policy: Policy, agreeing: ReadonlySet<string>): boolean {
  const others = policy.witnesses.map(({ name }) => name).filter((name) => !agreeing.has(name));
  return isQuorum(policy, agreeing) && !isQuorum(policy, new Set(others));
}

function secondsSince(time: number | null, now: Date): number {
  return time === null ? Number.NaN : Math.max(0, Math.floor(now.getTime() / 1_000) - time);
}
