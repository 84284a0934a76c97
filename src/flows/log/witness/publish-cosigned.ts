import type { NoteSigner } from '../../../core/log/note.ts';
import { isQuorum, type Policy } from '../../../core/log/policy.ts';
import { type Cosignature, cosignaturesOf, latestEach } from '../../../core/log/witness/cosignatures.ts';
import type { Epoch, LogHead, LogStore } from '../../../ports/log/transparency-log.ts';
import { signCheckpoint } from '../grow-log.ts';
import { type AskedWitness, type AskedWitnessPorts, askedWitness } from './asked-witness.ts';

export interface PublishPorts extends AskedWitnessPorts {
  readonly log: LogStore;
  /** Names the witnesses, with their addresses. */
  readonly policy: Policy;
  readonly signersOf: (epoch: Epoch) => readonly NoteSigner[];
}

export interface CosignedPublisher {
  /**
   * Asks the witnesses that are due, all at once, and publishes with whatever came: the quorum is the client's. `behind`: a
   * witness has cosigned more than the store has, or something else, so the store was set back.
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
      const due = all.filter((one) => one.asked.isDue(hadOf(one)));
      const answers = await Promise.all(due.map(({ asked }) => asked.ask(head, note)));
      if (await isSetBack(head, answers, log)) return 'behind';
      const came = answers.flatMap((one) => (one.kind === 'cosigned' ? [one.cosignature] : []));
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

type Answers = readonly Awaited<ReturnType<AskedWitness['ask']>>[];

/** Another process may have grown the log meanwhile. It stored the larger tree before it asked a witness. */
async function isSetBack({ tree, size }: LogHead, answers: Answers, log: LogStore): Promise<boolean> {
  if (answers.some(({ kind }) => kind === 'forked')) return true;
  const most = Math.max(...answers.map((one) => (one.kind === 'ahead' ? one.size : 0)), 0);
  return most > size && most > ((await log.head(tree))?.size ?? 0);
}

function secondsSince(time: number | null, now: Date): number {
  return time === null ? Number.NaN : Math.max(0, Math.floor(now.getTime() / 1_000) - time);
}
