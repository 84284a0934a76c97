import { SPOT_CHECK } from '../../../wire/payment/paid-routes.ts';
import type { Sandbox } from '../start.ts';
import { guardedScript, payingScript } from './scripts.ts';

/** What a command said, and how it ended. */
export interface Said {
  readonly code: number | null;
  readonly text: string;
}

export type Command =
  /** Words behind `npx assay`. */
  | { readonly kind: 'assay'; readonly words: readonly string[] }
  /** A module for node. */
  | { readonly kind: 'script'; readonly script: string };

export interface Step {
  readonly title: string;
  readonly why: string;
  /** What was said before decides about the later ones. */
  readonly command: (before: readonly Said[]) => Command;
  /** What must hold of its output. */
  readonly holds: (said: Said) => boolean;
  /** Run again while this holds, for what takes a moment. */
  readonly isEarly?: (said: Said) => boolean;
}

const RECEIPT_ID = /"receipt_id": "(sc-[0-9a-f]{16})"/;
const NOT_LOGGED_YET = 3;

/** Check, buy, be refused, verify. */
export function tourSteps(
  sandbox: Pick<Sandbox, 'addresses' | 'ecosystem'>,
  folder: string,
): readonly Step[] {
  const { baseUrl } = sandbox.addresses;
  const { sellers, chain } = sandbox.ecosystem;
  const urlOf = (name: string) => sellers.find((seller) => seller.name === name)?.url ?? '';
  const listedPayee = sellers.find(({ name }) => name === 'honest-v2')?.claims.payTo ?? '';
  const keyOf = (number: number) => chain.accounts.buyers[number]?.key ?? '';
  const server = ['--server', baseUrl];
  const ledger = `${folder}/purchases.db`;
  const check = `${baseUrl}${SPOT_CHECK.path}?url=${urlOf('honest')}`;
  const guarded = { key: keyOf(1), ledger, payTo: listedPayee };
  return [
    {
      title: 'Ask before you pay',
      why: 'The lists name one payee and the live 402 another: one unpaid request is enough to see it.',
      command: () => assay('check', urlOf('swapped-payee'), ...server),
      holds: ({ code, text }) => code === 1 && text.includes('SKIP  pay_to_mismatch'),
    },
    {
      title: 'Buy a check',
      why: "The free check of the day is used, so this one is paid with USDC: signed, verified and settled on the sandbox's chain.",
      command: () => ({ kind: 'script', script: payingScript(keyOf(0), check) }),
      holds: ({ code, text }) =>
        code === 0 && /^200 /.test(text) && /"tx": "0x[0-9a-f]{64}"/.test(text) && RECEIPT_ID.test(text),
    },
    {
      title: 'Guard the buyer',
      why: 'The guard sits below the payer in your own process: the honest seller is paid, the dishonest one never sees a signature.',
      command: () => ({
        kind: 'script',
        script: guardedScript({ ...guarded, urls: [urlOf('honest-v2'), urlOf('swapped-payee')] }),
      }),
      holds: ({ code, text }) => code === 0 && /^bought 200 /m.test(text) && text.includes('pay_to_mismatch'),
    },
    {
      title: 'Look at the ledger',
      why: 'Only what was really bought is in it, with what a day has cost.',
      command: () => assay('guard', 'ledger', '--ledger', ledger),
      holds: ({ code, text }) => code === 0 && text.includes('0.01') && !text.includes('swapped-payee'),
    },
    {
      title: 'Trust nobody, not even us',
      why: 'The receipt of your purchase is in a signed log: your machine checks the proof and judges the 402 again.',
      command: ([, bought]) =>
        assay('receipt', RECEIPT_ID.exec(bought?.text ?? '')?.[1] ?? 'none', '--verify', ...server),
      holds: ({ code }) => code === 0,
      isEarly: ({ code }) => code === NOT_LOGGED_YET,
    },
  ];
}

function assay(...words: readonly string[]): Command {
  return { kind: 'assay', words };
}
