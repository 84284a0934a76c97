import {
  decodeEventLog,
  encodeEventTopics,
  type Hex,
  isHex,
  numberToHex,
  type PublicClient,
  pad,
  parseAbi,
  ResponseBodyTooLargeError,
  RpcRequestError,
} from 'viem';
import * as z from 'zod';
import { inBatches } from '../../core/concurrency/in-batches.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import { isAddress, isSameAddress } from '../../core/x402/address.ts';
import { BASE_CHAIN_ID } from '../../core/x402/usdc-on-base.ts';
import type { DeclaredPayer, PaidTotal, TransferLog, TransfersRead } from '../../ports/attribution.ts';
import { createBaseClient, type NodeOptions, USDC } from './base-chain.ts';
import { causeOf } from './node-faults.ts';

export interface TransferLogOptions extends NodeOptions {
  /** Blocks of the first query; fewer if the node refuses. */
  readonly blocksPerQuery?: bigint;
  /** How far back to search: about three months of Base. */
  readonly lookbackBlocks?: bigint;
  /** Requests of all kinds; beyond it the search is given up. */
  readonly questionsMax?: number;
}

const TOKEN = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']);
const [TRANSFER] = encodeEventTopics({ abi: TOKEN, eventName: 'Transfer' });
/** Nodes limit the number of values of a topic. */
const WALLETS_AT_ONCE = 100;
/** Clock slack: a block may seem older than the lookup that led to a payment in it. */
const CLOCK_SLACK_SECONDS = 2;

/** The Transfer log of USDC on Base, read range by range. */
export function createTransferLog(options: TransferLogOptions): TransferLog {
  return {
    async paidBy(payers, payees) {
      const wallets = payees.filter((payee) => isAddress(payee, 'evm'));
      if (payers.length === 0 || wallets.length === 0) return { kind: 'read', since: new Date(0), paid: [] };
      const ask = boundedQuestions(options);
      try {
        if ((await ask((client) => client.getChainId())) !== BASE_CHAIN_ID) return unavailable('not_base');
        return await readTransfers(ask, payers, wallets, options);
      } catch (fault) {
        return unavailable(fault instanceof TooManyQuestions ? 'too_much' : 'no_answer');
      }
    },
  };
}

type Ask = <T>(question: (client: PublicClient) => Promise<T>) => Promise<T>;

class TooManyQuestions extends Error {}

function boundedQuestions({ questionsMax = 2_000, ...node }: TransferLogOptions): Ask {
  const client = createBaseClient(node);
  let asked = 0;
  return async (question) => {
    if (asked >= questionsMax) throw new TooManyQuestions();
    asked += 1;
    return question(client);
  };
}

function unavailable(because: 'no_answer' | 'not_base' | 'too_much'): TransfersRead {
  return { kind: 'unavailable', because };
}

async function readTransfers(
  ask: Ask,
  payers: readonly DeclaredPayer[],
  payees: readonly string[],
  { blocksPerQuery = 10_000n, lookbackBlocks = 4_000_000n }: TransferLogOptions,
): Promise<TransfersRead> {
  const { number: head } = await ask((client) => client.getBlock());
  const oldest = head > lookbackBlocks ? head - lookbackBlocks : 0n;
  const secondsAt = blockTimes(ask);
  const starts = new Map<string, bigint>();
  for (const { payer, since } of payers) {
    const seconds = Math.floor(since.getTime() / 1_000) - CLOCK_SLACK_SECONDS;
    starts.set(payer.toLowerCase(), await firstBlockSince(seconds, { oldest, head }, secondsAt));
  }
  const first = [...starts.values()].reduce((left, right) => (left < right ? left : right));
  const totals = new Map<string, PaidTotal>();
  const steps = { blocks: blocksPerQuery };
  const sellers = [...new Set(payees.map((payee) => payee.toLowerCase()))];
  for (const from of inBatches([...starts.keys()], WALLETS_AT_ONCE)) {
    for (const to of inBatches(sellers, WALLETS_AT_ONCE)) {
      for await (const transfer of transfersOf({ from, to }, { first, head, steps }, ask)) {
        if (transfer.block >= (starts.get(transfer.from) ?? head)) addTo(totals, transfer);
      }
    }
  }
  const asked = Math.min(...payers.map(({ since }) => since.getTime()));
  const reached = oldest === 0n ? 0 : (await secondsAt(oldest)) * 1_000;
  return { kind: 'read', since: new Date(Math.max(asked, reached)), paid: [...totals.values()] };
}

type SecondsAt = (block: bigint) => Promise<number>;

/** Searches for many payers need the same blocks. */
function blockTimes(ask: Ask): SecondsAt {
  const known = new Map<bigint, number>();
  return async (blockNumber) => {
    const seconds =
      known.get(blockNumber) ?? Number((await ask((client) => client.getBlock({ blockNumber }))).timestamp);
    known.set(blockNumber, seconds);
    return seconds;
  };
}

/** Binary search, because the block time varies; one after the head when all are older. */
async function firstBlockSince(
  seconds: number,
  { oldest, head }: { readonly oldest: bigint; readonly head: bigint },
  secondsAt: SecondsAt,
): Promise<bigint> {
  let [low, high] = [oldest, head];
  while (low <= high) {
    const middle = (low + high) / 2n;
    if ((await secondsAt(middle)) < seconds) low = middle + 1n;
    else high = middle - 1n;
  }
  return low;
}

interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly block: bigint;
}

interface Wallets {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

interface Blocks {
  readonly first: bigint;
  readonly head: bigint;
  /** The range of a query; shrinks for all later ones when the node refuses. */
  readonly steps: { blocks: bigint };
}

async function* transfersOf(wallets: Wallets, { first, head, steps }: Blocks, ask: Ask) {
  for (let from = first; from <= head; ) {
    const last = from + steps.blocks - 1n;
    const to = last < head ? last : head;
    // One node of several may be a block ahead of the one that told us the head.
    const toBlock = to === head ? 'latest' : numberToHex(to);
    const logs = await logsIn(wallets, { fromBlock: numberToHex(from), toBlock }, ask);
    if (logs === null) {
      if (to === from) throw new Error('the node refuses even a single block');
      steps.blocks = (to - from + 1n) / 2n;
      continue;
    }
    for (const log of logs) {
      const transfer = readTransfer(log);
      if (transfer !== null && isAskedFor(transfer, wallets)) yield transfer;
    }
    from = to + 1n;
  }
}

/** Null when the node refuses a query of this size, or the answer is too large. */
async function logsIn(
  { from, to }: Wallets,
  range: { readonly fromBlock: Hex; readonly toBlock: Hex | 'latest' },
  ask: Ask,
): Promise<readonly unknown[] | null> {
  const filter = { address: USDC, topics: [TRANSFER, from.map(topicOf), to.map(topicOf)], ...range };
  try {
    return z
      .array(z.unknown())
      .parse(await ask((client) => client.request({ method: 'eth_getLogs', params: [filter] })));
  } catch (fault) {
    const tooMuch = causeOf(fault, RpcRequestError) ?? causeOf(fault, ResponseBodyTooLargeError);
    if (tooMuch !== null) return null;
    throw fault;
  }
}

function topicOf(address: string): Hex {
  if (!isHex(address)) throw new Error('an address is hexadecimal');
  return pad(address);
}

const rpcLog = z.object({
  address: z.string(),
  topics: z.tuple([z.custom<Hex>(isHex), z.custom<Hex>(isHex), z.custom<Hex>(isHex)]),
  data: z.custom<Hex>(isHex),
  blockNumber: z.custom<Hex>(isHex),
  removed: z.literal(false).optional(),
});

/** Null for anything but a transfer of USDC: nodes are untrusted. */
function readTransfer(log: unknown): Transfer | null {
  const reading = rpcLog.safeParse(log);
  if (!reading.success || !isSameAddress(reading.data.address, USDC)) return null;
  const { topics, data, blockNumber } = reading.data;
  try {
    const { from, to, value } = decodeEventLog({ abi: TOKEN, topics, data }).args;
    return { from: from.toLowerCase(), to: to.toLowerCase(), value, block: BigInt(blockNumber) };
  } catch {
    return null;
  }
}

/** Zero transfers are ignored: the token lets anybody make one in anybody's name. */
function isAskedFor({ from, to, value }: Transfer, wallets: Wallets): boolean {
  return value > 0n && wallets.from.includes(from) && wallets.to.includes(to);
}

function addTo(totals: Map<string, PaidTotal>, { from, to, value }: Transfer): void {
  const name = `${from} ${to}`;
  const { payments, amount } = totals.get(name) ?? { payments: 0, amount: 0n };
  // USDC has six decimals, like our money.
  const more = { payments: payments + 1, amount: microUsd(amount + value) };
  totals.set(name, { payer: from, payTo: to, ...more });
}
