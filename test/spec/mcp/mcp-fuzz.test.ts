import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HOSTILE_POSTS, type Posted } from '../../support/hostile/hostile-rpc.ts';
import { NOTHING_FREE } from '../../support/paying/paying-service.ts';
import {
  type Door,
  type Received,
  startService,
  type TestService,
} from '../../support/running/running-service.ts';
import { sized } from '../../support/sized.ts';

/** So many messages at a time, and so many times for each property: more than 10,000 in a long run. */
const AT_ONCE = 25;
const TIMES: Readonly<Record<Door, number>> = { app: sized(10, 105), socket: sized(1, 5) };
const SEED = 20_261_115;
/** What never answers shall be named, and not only time out. */
const PATIENCE_MS = 10_000;

describe.each<Door>(['app', 'socket'])('nothing that is sent to /mcp through the %s breaks it', (door) => {
  const settled: unknown[] = [];
  const counted = { total: 0, results: 0 };
  let service: TestService;

  beforeAll(async () => {
    const facilitator = {
      verify: async () => ({ kind: 'invalid', reason: 'bad_signature' }) as const,
      settle: async (payment: unknown) => {
        settled.push(payment);
        return { kind: 'unknown' } as const;
      },
    };
    // A probe that hangs is not what this is about.
    service = await startService({ door, timeoutMs: 25, settings: NOTHING_FREE, world: { facilitator } });
  });
  afterAll(() => service.close());

  const flawsOf = async ({ body, headers }: Posted): Promise<string[]> => {
    counted.total += 1;
    const answer = await patiently(
      service.ask('/mcp', { method: 'POST', body, headers: { host: 'assay.example.org', ...headers } }),
    );
    if (answer?.text.includes('"result":') === true) counted.results += 1;
    const flaws = answer === null ? ['no answer'] : unsound(answer, body);
    return flaws.map((flaw) => `${flaw}\n to ${body.slice(0, 500)}\n with ${JSON.stringify(headers)}`);
  };

  it.each(HOSTILE_POSTS)('%s', async (_, posts) => {
    await fc.assert(
      fc.asyncProperty(fc.array(posts, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (several) => {
        expect((await Promise.all(several.map(flawsOf))).flat()).toEqual([]);
      }),
      // What failed is named one by one, and needs no shrinking.
      { numRuns: TIMES[door], seed: SEED, endOnFailure: true },
    );
  });

  it('that was enough of it, none of it was a fault, and nobody was charged', async () => {
    expect(counted.total).toBeGreaterThanOrEqual(TIMES[door] * AT_ONCE * HOSTILE_POSTS.length);
    // Most of it must get past the door, or only the door is tested.
    expect(counted.results).toBeGreaterThan(counted.total / 5);
    expect(service.faults).toEqual([]);
    expect(settled).toEqual([]);
    expect(await service.store.payments.open(new Date('2100-01-01T00:00:00Z'), 10)).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

async function patiently(answer: Promise<Received>): Promise<Received | null> {
  let impatient: NodeJS.Timeout | undefined;
  const never = new Promise<null>((resolve) => {
    impatient = setTimeout(() => resolve(null), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, never]);
  } finally {
    clearTimeout(impatient);
  }
}

const STATUSES = [200, 202, 400, 403, 404, 413, 415];
const ID = z.union([z.string(), z.int(), z.null()]);
const FAILED = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: ID,
  error: z.strictObject({ code: z.int(), message: z.string().min(1), data: z.unknown().optional() }),
});
const DONE = z.strictObject({ jsonrpc: z.literal('2.0'), id: ID, result: z.looseObject({}) });
const INTERNAL_ERROR = -32_603;

/** What is wrong with an answer, whatever was sent. */
function unsound({ status, text, header }: Received, body: string): string[] {
  const flaws: [boolean, string][] = [
    [STATUSES.includes(status), 'status'],
    [header('access-control-allow-origin') === '*', 'no CORS'],
    [!/node_modules|\n {4}at |\.ts:\d|RangeError|TypeError|call stack/.test(text), 'our internals'],
    [text.length < 700_000, 'an endless answer'],
    [(status === 202) === (text === ''), 'an empty body, or one where none belongs'],
  ];
  // As the bytes say it: half of a surrogate pair does not survive, and a mark at the beginning is dropped.
  const sent = messagesIn(new TextDecoder().decode(Buffer.from(body)));
  const ids = sent.map((message): unknown => Object(message).id);
  const said = status === 202 ? [] : messagesIn(text).flatMap((message) => unsoundMessage(message, ids));
  return [...flaws.filter(([holds]) => !holds).map(([, name]) => name), ...said].map(
    (flaw) => `${flaw}: ${status} ${text.slice(0, 300)}`,
  );
}

function messagesIn(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.length > 0 ? value : [value];
  } catch {
    return [undefined];
  }
}

function unsoundMessage(message: unknown, ids: readonly unknown[]): string[] {
  const failed = FAILED.safeParse(message);
  const done = DONE.safeParse(message);
  const sound = failed.data ?? done.data;
  if (sound === undefined) return ['no JSON-RPC'];
  const flaws: [boolean, string][] = [
    [failed.data?.error.code !== INTERNAL_ERROR, 'an internal error'],
    [!isFault(done.data?.result), 'a tool that failed'],
    // Whoever sent no id that can be read gets none, and whoever sent one gets that.
    [sound.id === null || ids.includes(sound.id), 'the id of somebody else'],
    [sound.id !== null || failed.success, 'a result for nobody'],
  ];
  return flaws.filter(([holds]) => !holds).map(([, name]) => name);
}

/** 503 is what an overloaded service says; nothing here loads it so much. */
function isFault(result: Readonly<Record<string, unknown>> | undefined): boolean {
  const problem = Object(result?.['structuredContent']);
  return result?.['isError'] === true && Number(problem.status) >= 500;
}
