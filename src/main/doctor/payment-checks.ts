import * as z from 'zod';
import { addressOfKey, checksumOf } from '../../adapters/facilitator/chain-reading.ts';
import { isAddress, isSameAddress } from '../../core/x402/address.ts';
import { parseJson } from '../../core/x402/read-json.ts';
import { BASE } from '../../core/x402/usdc-on-base.ts';
import { boundedGet, reasonOf } from './bounded-get.ts';
import type { Check, DoctorParts } from './doctor-parts.ts';
import { failure, off, ok, type Verdict, warning } from './finding.ts';

const NOT_SOLD = off('nothing is sold: set PAY_TO');

export const PAYMENT_CHECKS: readonly Check[] = [
  { name: 'wallet', look: lookAtWallet },
  { name: 'facilitator', look: lookAtFacilitator },
];

async function lookAtWallet({ config }: DoctorParts): Promise<Verdict> {
  const { payTo, facilitator, buyerKey } = config;
  if (payTo === null) return NOT_SOLD;
  const checksum = checksumOf(payTo);
  if (checksum === 'wrong') {
    return failure(`PAY_TO ${payTo} has a wrong checksum: a digit is mistyped`, 'copy the address again');
  }
  const gasKey = facilitator.kind === 'built_in' ? facilitator.gasKey : null;
  for (const [name, key] of [
    ['GAS_KEY', gasKey],
    ['BUYER_KEY', buyerKey],
  ] as const) {
    if (key !== null && isSameAddress(addressOfKey(key), payTo)) {
      return failure(
        `PAY_TO is the wallet of ${name}, whose key is on this machine`,
        'receive in a wallet whose key is elsewhere',
      );
    }
  }
  if (checksum === 'none') {
    return warning(
      `PAY_TO ${payTo} has no checksum: a mistyped digit would not be noticed`,
      'write it in mixed case, as wallets show it',
    );
  }
  return ok(`PAY_TO ${payTo}`);
}

async function lookAtFacilitator({ config, fetch }: DoctorParts): Promise<Verdict> {
  const { payTo, facilitator } = config;
  if (payTo === null) return NOT_SOLD;
  if (facilitator.kind === 'built_in') return off('GAS_KEY settles: set FACILITATOR_URL instead for another');
  const { host } = new URL(facilitator.url);
  const url = `${facilitator.url.replace(/\/+$/, '')}/supported`;
  const got = await boundedGet(fetch, url, facilitator.headers).catch(reasonOf);
  if (typeof got === 'string') {
    return failure(`${host} does not answer: ${got}`, 'check FACILITATOR_URL and the network to it');
  }
  if (got.status === 401 || got.status === 403) {
    return failure(`${host} refuses us: status ${got.status}`, 'check FACILITATOR_AUTH');
  }
  const read = supported.safeParse(parseJson(got.text));
  if (got.status !== 200 || !read.success) {
    return failure(`${host} does not say what it supports: status ${got.status}`, 'check FACILITATOR_URL');
  }
  return supportVerdict(host, read.data);
}

const supported = z.object({
  kinds: z.array(z.object({ x402Version: z.number(), scheme: z.string(), network: z.string() })).max(1_000),
  signers: z.record(z.string(), z.array(z.string())).optional(),
});

function supportVerdict(host: string, { kinds, signers = {} }: z.infer<typeof supported>): Verdict {
  const settles = (version: number, ...networks: string[]) =>
    kinds.some(
      ({ x402Version, scheme, network }) =>
        x402Version === version && scheme === 'exact' && networks.includes(network),
    );
  if (settles(2, BASE, ANY_EVM)) return ok(`${host} settles exact on Base; ${signersText(signers)}`);
  if (settles(1, 'base')) {
    return warning(
      `${host} lists Base for version 1 of x402 only`,
      'sell through a facilitator that settles version 2',
    );
  }
  return failure(`${host} does not settle exact payments on Base`, 'set FACILITATOR_URL to one that does');
}

const ANY_EVM = 'eip155:*';
const SIGNERS_SHOWN = 4;

function signersText(signers: Readonly<Record<string, readonly string[]>>): string {
  const known = [...(signers[ANY_EVM] ?? []), ...(signers[BASE] ?? [])].filter((text) =>
    isAddress(text, 'evm'),
  );
  return known.length === 0 ? 'names no signer' : `signers ${known.slice(0, SIGNERS_SHOWN).join(', ')}`;
}
