import { withX402Client } from 'agents/x402';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuard, memoryLedger } from '../../../src/guard/index.ts';
import { guardTransport } from '../../../src/guard/mcp/guard-transport.ts';
import { countingWallet } from '../../support/guarding/buyers/stock-payers.ts';
import { useGuardingWorld } from '../../support/guarding/guarding-world.ts';
import {
  type HostileMcpServer,
  startMcpServer,
  TOOL_GOODS,
  type ToolScript,
} from '../../support/guarding/mcp/hostile-mcp-server.ts';
import { LIMITS } from '../../support/guarding/sellers/in-process-seller.ts';
import { entryFor, toThief } from '../../support/guarding/sellers/seller-terms.ts';
import { CLIENTS, type Json } from '../../support/mcp/mcp-clients.ts';
import { chainOfTheFile } from '../../support/paying/paying-chain.ts';

const chain = await chainOfTheFile();
const SELLER = chain.accounts.seller.address;
const OWN = entryFor(SELLER);
/** Below Cloudflare's own limit of ten cents. */
const THIEVING = toThief({ amount: '90000' });
const sells = () => 'goods' as const;

const TOOLS = {
  honest: { shows: [OWN], answers: sells },
  thiefFirst: { shows: [THIEVING, OWN], answers: sells },
  thiefOnly: { shows: [THIEVING], answers: sells },
  asksAgain: { shows: [OWN], answers: () => 'asks' },
  losesAnswer: { shows: [OWN], answers: (isRepeated) => (isRepeated ? 'goods' : 'lost') },
  oneYear: { shows: [entryFor(SELLER, { maxTimeoutSeconds: 31_536_000 })], answers: sells },
} as const satisfies Readonly<Record<string, ToolScript>>;

interface Spent {
  /** What each of two tries ended with. */
  readonly ends: readonly (string | undefined)[];
  readonly signatures: number;
  readonly payments: number;
  readonly toSeller: bigint;
  readonly toThief: bigint;
}

const spent = (ends: Spent['ends'], changes: Partial<Spent> = {}): Spent => ({
  ...{ ends, signatures: 1, payments: 1, toSeller: 10_000n, toThief: 0n },
  ...changes,
});
const twice = { signatures: 2, payments: 2, toSeller: 20_000n };
const GOODS = 'goods';
const ASKED = 'asked again';

const ROWS: readonly [what: string, tool: keyof typeof TOOLS, stock: Spent, guarded: Spent][] = [
  [
    'an honest server, two calls',
    'honest',
    spent([GOODS, GOODS], twice),
    // The same call again at once is no second purchase.
    spent([GOODS, 'bought_already']),
  ],
  [
    'a thief at nine cents before the seller at one',
    'thiefFirst',
    spent([GOODS, GOODS], { ...twice, toSeller: 0n, toThief: 180_000n }),
    spent([GOODS, 'bought_already']),
  ],
  [
    'a thief alone',
    'thiefOnly',
    spent([GOODS, GOODS], { ...twice, toSeller: 0n, toThief: 180_000n }),
    spent(['pay_to_mismatch', 'pay_to_mismatch'], { signatures: 0, payments: 0, toSeller: 0n }),
  ],
  [
    'a server that asks again',
    'asksAgain',
    spent([ASKED, ASKED], twice),
    spent(['asked_again_after_payment', 'asked_again_after_payment']),
  ],
  ['a lost answer', 'losesAnswer', spent(['thrown', 'thrown'], twice), spent([GOODS, 'bought_already'])],
];

describe.each(CLIENTS)("Cloudflare's withX402Client around %s, on the chain:", (_, __, connect) => {
  const world = useGuardingWorld(chain);
  const open: { server?: HostileMcpServer } = {};
  beforeAll(async () => {
    open.server = await startMcpServer(world.facilitator(), TOOLS);
  });
  afterAll(() => open.server?.stop());

  async function measure(tool: string, isGuarded: boolean): Promise<Spent> {
    const guard = createGuard({
      ledger: memoryLedger(),
      limits: LIMITS,
      expect: () => ({ payTo: SELLER }),
    });
    const { client } = await connect({
      ...{ url: open.server?.url ?? '', caller: '127.0.0.1' },
      ...(isGuarded ? { wrap: (transport) => guardTransport(transport, guard) } : {}),
    });
    const { account, signatures } = countingWallet(world.buyer.key);
    // It takes the clients of both lines; here they are known by what they have in common.
    const paying: Json = withX402Client(client as Json, { network: 'eip155:8453', account });
    const { result, payments, toSeller, toThief } = await world.moved(async () => {
      const ends = [];
      for (let tries = 0; tries < 2; tries += 1) {
        ends.push(await paying.callTool(null, { name: tool, arguments: {} }).then(endOf, () => 'thrown'));
      }
      return ends;
    });
    await client.close();
    return { ends: result, signatures: signatures(), payments, toSeller, toThief };
  }

  it.each(ROWS)('%s', async (_what, tool, stock, guarded) => {
    expect(await measure(tool, false)).toEqual(stock);
    expect(await measure(tool, true)).toEqual(guarded);
  });

  it('an authorization for a year is signed for 15 minutes, and settles', async () => {
    expect(await measure('oneYear', true)).toEqual(spent([GOODS, 'bought_already']));
  });
});

function endOf(result: Json): string | undefined {
  if (result.isError !== true) {
    expect(result.content).toEqual(TOOL_GOODS.content);
    return GOODS;
  }
  const text: string = result.content[0].text;
  return text.startsWith('{') ? ASKED : text.split(':', 1)[0];
}
