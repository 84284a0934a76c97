import { z } from 'zod';
import { isPaidFor } from '../world/buyers.ts';
import { type Answer, type Ask, as, type Line } from '../world/callers.ts';
import { mcpLine, type Way } from '../world/mcp-line.ts';
import type { Replica } from '../world/replicas.ts';
import type { FreeKind, Journal, PurchaseNote, Said } from './journal.ts';

/** A client that writes down what it asks and hears. */
export interface Clients {
  /** Asks for this caller: begins at any replica, and goes on to the next one when that fails. */
  asking(what: string, caller: number, through?: Through): Ask;
  /** Asks one replica only. */
  askingAt(what: string, replica: Asked, way?: Way): Ask;
  /** Notes whatever an answer to a free question acknowledges. */
  noteFree(kind: FreeKind, caller: number, answer: Answer): void;
  notePurchase(path: string, caller: number, way: Way): Noting;
}

/** Who is asked: a replica, or a proxy. */
export type Asked = Pick<Replica, 'name' | 'address' | 'lives' | 'aheadMs'>;

export interface Through {
  /** Where it begins. */
  readonly first?: Asked;
  readonly way?: Way;
}

export interface Noting {
  readonly purchase: PurchaseNote;
  readonly onSigned: (signed: PurchaseNote['payments'][number]['signed']) => void;
  readonly onAnswer: (signed: PurchaseNote['payments'][number]['signed'], answer: Answer | null) => void;
}

export interface ClientsParts {
  /** The replicas, or what stands in front of them. */
  readonly replicas: readonly Asked[];
  readonly line: Line;
  readonly journal: Journal;
  readonly now: () => number;
}

const problem = z.object({ code: z.string() });
const accessed = z.object({
  verdict: z.string().optional(),
  receipt_id: z.string().nullish(),
  receipt_sha256: z.string().nullish(),
  access: z.object({ tier: z.string() }),
});

type Accessed = z.infer<typeof accessed>;

export function createClients({ replicas, line, journal, now }: ClientsParts): Clients {
  const state = { next: 0 };
  const lines: Readonly<Record<Way, Line>> = { http: line, mcp: mcpLine(line) };
  const days = new WeakMap<Answer, string | null>();
  /** A promise is a member of the answer, or a header field where the members are fixed. */
  const noteReceipt = ({ receipt_id: id, receipt_sha256: member }: Accessed, answer: Answer) => {
    if (typeof id !== 'string') return;
    journal.receipts.add(id);
    const sha256 = member ?? answer.header('receipt-sha256');
    if (sha256 !== null) journal.promised.set(id, sha256);
  };
  const askingAt =
    (what: string, replica: Asked, way: Way = 'http'): Ask =>
    async (path, sent) => {
      const startedAt = now();
      const [life, ahead] = [replica.lives(), replica.aheadMs()];
      const note = (status: number | null, code: string | null) =>
        journal.requests.push({ what, replica: replica.name, startedAt, endedAt: now(), status, code });
      try {
        const answer = await lines[way].ask(replica.address, path, sent);
        note(answer.status, answer.status >= 400 ? codeIn(answer.text) : null);
        const isSteady = life === replica.lives() && ahead === replica.aheadMs();
        const [begun, ended] = [dayOf(startedAt + ahead), dayOf(now() + ahead)];
        days.set(answer, isSteady && begun === ended ? begun : null);
        return answer;
      } catch (fault) {
        note(null, null);
        throw fault;
      }
    };
  return {
    askingAt,
    asking(what, caller, { first, way } = {}) {
      state.next = first === undefined ? state.next + 1 : replicas.indexOf(first);
      let turn = state.next;
      return as(caller, async (path, sent) => {
        const replica = replicas[turn % replicas.length];
        if (replica === undefined) throw new Error('there are no replicas');
        try {
          const answer = await askingAt(what, replica, way)(path, sent);
          if (answer.status >= 500) turn += 1;
          return answer;
        } catch (fault) {
          turn += 1;
          throw fault;
        }
      });
    },
    noteFree(kind, caller, answer) {
      const read = answer.status === 200 ? accessed.safeParse(parsed(answer.text)) : null;
      if (read?.success !== true) return;
      const { access, verdict } = read.data;
      noteReceipt(read.data, answer);
      // A check that decided nothing gives its use back; a dry run never does.
      if (access.tier !== 'free' || (verdict === 'recheck' && kind !== 'dry_run')) return;
      const remaining = /;r=(\d+)/.exec(answer.header('ratelimit') ?? '')?.[1];
      const left = remaining === undefined ? null : Number(remaining);
      journal.freeUses.push({ kind, caller, day: days.get(answer) ?? null, at: now(), remaining: left });
    },
    notePurchase(path, caller, way) {
      const purchase: PurchaseNote = { path, way, caller, payments: [] };
      journal.purchases.push(purchase);
      return {
        purchase,
        onSigned(signed) {
          purchase.payments.push({ signed, signedAt: now(), said: [] });
        },
        onAnswer(signed, answer) {
          const payment = purchase.payments.find((one) => one.signed === signed);
          payment?.said.push(answer === null ? null : saidBy(answer, replicas, now()));
          const read = answer?.status === 200 ? accessed.safeParse(parsed(answer.text)) : null;
          if (answer !== null && read?.success === true) noteReceipt(read.data, answer);
        },
      };
    },
  };
}

export function saidBy(answer: Answer, replicas: readonly Asked[], at: number): Said {
  return {
    replica: replicas.find(({ address }) => address === answer.from)?.name ?? answer.from,
    status: answer.status,
    at,
    isPaid: isPaidFor(answer),
    text: answer.text,
    settlement: answer.header('payment-response'),
  };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function codeIn(text: string): string | null {
  return problem.safeParse(parsed(text)).data?.code ?? null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
