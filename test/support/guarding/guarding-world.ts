import { encodeEventTopics, type Hex, numberToHex, pad, parseAbi } from 'viem';
import { afterAll, beforeAll } from 'vitest';
import { createHttpFacilitator } from '../../../src/adapters/facilitator/http-facilitator.ts';
import type { Facilitator } from '../../../src/ports/facilitator.ts';
import type { SandboxAccount } from '../../../src/sandbox/chain/funded-accounts.ts';
import type { LocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import { startFacilitatorServer } from '../../../src/sandbox/facilitator-server.ts';
import { THIEF } from '../../../tools/samples/challenge.ts';
import { USDC } from '../../../tools/signed-payment.ts';
import { balanceOf } from '../paying/chain-reading.ts';
import { buyerOf } from '../paying/paying-chain.ts';
import { type SellerServer, type Stall, startSeller } from './sellers/hostile-seller.ts';
import { SELLERS, type SellerName, THIEVES_STALL } from './sellers/seller-scripts.ts';

const TOKEN = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']);
const [TRANSFER] = encodeEventTopics({ abi: TOKEN, eventName: 'Transfer' });

/** What moved on the chain while something was done. */
export interface Moved<T> {
  readonly result: T;
  /** Transfers of the buyer's money. */
  readonly payments: number;
  /** Millionths of a dollar that left the buyer, and that reached the seller and the thief. */
  readonly spent: bigint;
  readonly toSeller: bigint;
  readonly toThief: bigint;
}

export interface GuardingWorld {
  readonly chain: LocalChain;
  readonly buyer: SandboxAccount;
  /** A new address of the seller with this behaviour. */
  open(name: SellerName): Stall;
  /** What arrived at the origin of the thief, over all tests of the file. */
  thiefSaw(): Stall['seen'];
  moved<T>(work: () => Promise<T>): Promise<Moved<T>>;
  facilitator(): Facilitator;
}

/** A seller and a thief on loopback, paid through a facilitator on this chain. */
export function useGuardingWorld(chain: LocalChain): GuardingWorld {
  const buyer = buyerOf(chain);
  const open: {
    facilitator?: Facilitator;
    seller?: SellerServer;
    thief?: Stall;
    stops: (() => Promise<void>)[];
  } = { stops: [] };

  beforeAll(async () => {
    const { rpcUrl, accounts } = chain;
    const server = await startFacilitatorServer({ rpcUrl, gasKey: accounts.gas.key });
    const facilitator = createHttpFacilitator({ url: server.url, timeoutMs: 30_000 });
    const common = { facilitator, seller: accounts.seller.address };
    const elsewhere = await startSeller({ ...common, host: '127.0.0.2', elsewhere: '' });
    const thief = elsewhere.open(THIEVES_STALL);
    const seller = await startSeller({ ...common, host: '127.0.0.1', elsewhere: thief.url });
    Object.assign(open, { facilitator, seller, thief, stops: [seller.stop, elsewhere.stop, server.stop] });
  });
  afterAll(() => Promise.all(open.stops.map((stop) => stop())));

  const balances = async () => ({
    buyer: await balanceOf(chain, buyer.address),
    seller: await balanceOf(chain, chain.accounts.seller.address),
    thief: await balanceOf(chain, THIEF),
    payments: await paymentsOf(chain, buyer.address),
  });

  return {
    chain,
    buyer,
    open(name) {
      if (open.seller === undefined) throw new Error('the seller is open within tests');
      return open.seller.open(SELLERS[name]);
    },
    thiefSaw() {
      if (open.thief === undefined) throw new Error('the thief is there within tests');
      return open.thief.seen;
    },
    facilitator() {
      if (open.facilitator === undefined) throw new Error('the facilitator is there within tests');
      return open.facilitator;
    },
    async moved(work) {
      const before = await balances();
      const result = await work();
      const after = await balances();
      return {
        result,
        payments: after.payments - before.payments,
        spent: before.buyer - after.buyer,
        toSeller: after.seller - before.seller,
        toThief: after.thief - before.thief,
      };
    },
  };
}

async function paymentsOf({ ask }: LocalChain, buyer: Hex): Promise<number> {
  const topics = [TRANSFER, pad(buyer)];
  const filter = { address: USDC, topics, fromBlock: numberToHex(0n), toBlock: 'latest' };
  const logs = await ask('eth_getLogs', [filter]);
  if (!Array.isArray(logs)) throw new Error('no list of transfers');
  return logs.length;
}
