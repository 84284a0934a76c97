import { answerGdp } from '../../../src/guard/gdp/gdp-session.ts';
import { type GdpState, NEW_SESSION } from '../../../src/guard/gdp/gdp-state.ts';

/** A chain as a task of the protocol names it, with the parties of a test. */
export interface GdpChain {
  readonly name: 'EVM' | 'Solana';
  readonly network: string;
  readonly usdc: string;
  readonly wallet: string;
  readonly seller: string;
  readonly thief: string;
  /** The same chain with real money. */
  readonly mainnet: { readonly network: string; readonly asset: string };
  readonly otherToken: string;
  /** Where a payment of USDC to the party arrives: on Solana a token account. */
  readonly receives: Readonly<Record<string, string>>;
}

export const CHAINS: readonly GdpChain[] = [
  {
    name: 'EVM',
    network: 'eip155:84532',
    usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    wallet: '0x1111111111111111111111111111111111111111',
    seller: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    thief: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
    mainnet: { network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
    otherToken: '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb',
    receives: {},
  },
  {
    name: 'Solana',
    network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    usdc: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    wallet: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
    seller: '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5',
    thief: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
    mainnet: {
      network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    },
    otherToken: 'So11111111111111111111111111111111111111112',
    receives: {
      '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5': 'BGQsCUiQgExi3zfc8mkqoURTLzeipem84chhZ411RhLT',
    },
  },
];

export type Entry = Readonly<Record<string, unknown>> & {
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
};

export interface Asked {
  readonly url?: string;
  readonly page?: string;
  readonly body?: unknown;
}

const NOW = new Date('2026-11-18T12:00:00.000Z');
const NOW_SECONDS = 1_795_003_200;
export const SHOP = 'http://shop.test/report';

/** A driver of the protocol with a budget of five cents that may pay shop.test: what it is allowed goes into its history. */
export function gdpDriver(chain: GdpChain) {
  let state: GdpState = NEW_SESSION;
  let id = 0;
  const history: object[] = [];
  const ask = (message: object): Readonly<Record<string, unknown>> => {
    const sent: unknown = JSON.parse(JSON.stringify({ id: id++, ...message }));
    const step = answerGdp(state, sent, { now: NOW, version: '1.2.3' });
    state = step.state;
    return { ...step.answer };
  };
  const task = {
    ...{ prompt: 'Buy the report.', chain: chain.name === 'EVM' ? 'evm' : 'svm', network: chain.network },
    ...{ budget_usd: 0.05, allowed_hosts: ['shop.test', 'partner.test'], wallet_address: chain.wallet },
    ...{ wallet_balance_usd: 100, host_mode: 'localhost' },
  };
  const hello = () => ask({ type: 'hello', gdp: 1, task });
  const pay = (accepts: readonly unknown[], { url = SHOP, page, body = {} }: Asked = {}) =>
    ask({
      type: 'payment',
      request: { url, method: 'GET' },
      referrer: page === undefined ? null : { url: 'http://shop.test/', text: page },
      rail: 'x402v2',
      challenge: { accepts, resource: { url }, raw_body: body },
      history,
    });
  const sign = (
    entry: Entry,
    changes: object = {},
    legs: (leg: object) => readonly object[] = (leg) => [leg],
  ) =>
    ask({
      type: 'sign',
      chain: task.chain,
      ...signature(chain, entry, changes),
      decoded_legs: legs(legOf(chain, entry, changes)),
    });
  return {
    ...{ ask, hello, pay, sign },
    /** One whole purchase: the code of a refusal, or the index that was paid. */
    buy(accepts: readonly Entry[], asked: Asked = {}): string | number {
      const decision = pay(accepts, asked);
      if (decision['decision'] !== 'allow') return codeOf(decision);
      const at = Number(decision['accept_index']);
      const entry = accepts[at];
      if (entry === undefined) return 'an entry that is not there';
      const signed = sign(entry);
      if (signed['decision'] !== 'allow') return `signature: ${codeOf(signed)}`;
      const { payTo, network, asset, amount } = entry;
      history.push({
        url: asked.url ?? SHOP,
        amount_usd: Number(amount) / 1e6,
        pay_to: payTo,
        network,
        asset,
      });
      return at;
    },
  };
}

export function codeOf({ reason }: Readonly<Record<string, unknown>>): string {
  return String(reason).split(':')[0] ?? '';
}

/** Two cents of test USDC to the seller. */
export function entryOf(chain: GdpChain, changes: Partial<Entry> = {}): Entry {
  return {
    ...{ scheme: 'exact', network: chain.network, asset: chain.usdc, amount: '20000', payTo: chain.seller },
    ...{ maxTimeoutSeconds: 60, extra: chain.name === 'EVM' ? { name: 'USDC', version: '2' } : {} },
    ...changes,
  };
}

function legOf(
  chain: GdpChain,
  { network, asset, amount, payTo, maxTimeoutSeconds }: Entry,
  changes: object,
): object {
  const to = chain.receives[payTo] ?? payTo;
  const common = { network, asset, from: chain.wallet, to, amount_atomic: amount, valid: true };
  if (chain.name === 'Solana') return { ...common, to_token_account: to, ...changes };
  return { ...common, authorization_seconds: maxTimeoutSeconds, ...changes };
}

function signature(chain: GdpChain, entry: Entry, changes: object): object {
  if (chain.name === 'Solana') return { payload: { serialized_tx: 'AQ==' } };
  const message = {
    ...{ from: chain.wallet, to: entry.payTo, value: entry.amount, validAfter: '0' },
    ...{ validBefore: String(NOW_SECONDS + entry.maxTimeoutSeconds), nonce: '0x01', ...changes },
  };
  const domain = { chainId: Number(entry.network.slice(7)), verifyingContract: entry.asset };
  return { payload: { typed_data: { domain, primaryType: 'TransferWithAuthorization', message } } };
}
