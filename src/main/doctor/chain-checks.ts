import { chainIdOf } from '../../adapters/facilitator/chain-id.ts';
import {
  addressOfKey,
  type ChainReading,
  createChainReading,
} from '../../adapters/facilitator/chain-reading.ts';
import { BASE_CHAIN_ID } from '../../core/x402/usdc-on-base.ts';
import type { Check, DoctorParts } from './doctor-parts.ts';
import { failure, off, ok, type Verdict, warning } from './finding.ts';

const TIMEOUT_MS = 4_000;

export const CHAIN_CHECKS: readonly Check[] = [
  { name: 'node', look: lookAtNode },
  { name: 'gas wallet', look: lookAtGas },
  { name: 'verify wallet', look: lookAtBuyer },
];

const NOT_READ = warning('not known: the node does not answer', 'see node');

function chainOf({ config }: DoctorParts): ChainReading {
  return createChainReading({ rpcUrl: config.node.url, timeoutMs: TIMEOUT_MS });
}

async function lookAtNode(parts: DoctorParts): Promise<Verdict> {
  const { node, payTo, buyerKey } = parts.config;
  if (payTo === null && buyerKey === null) return off('nothing is sold or bought: set PAY_TO or BUYER_KEY');
  const { host } = new URL(node.url);
  const chainId = await chainIdOf(node.url, TIMEOUT_MS);
  if (chainId === null) {
    return failure(`${host} does not answer: payments with an unknown outcome stay open`, 'check RPC_URL');
  }
  if (chainId !== BASE_CHAIN_ID) {
    return failure(`${host} is a node of chain ${chainId}, not of Base (${BASE_CHAIN_ID})`, 'change RPC_URL');
  }
  if (!(await chainOf(parts).hasUsdc())) {
    return failure(`${host} has no code at the address of USDC`, 'use a node with the whole state of Base');
  }
  return ok(`${host}, chain ${chainId}, with USDC`);
}

/** Few: with less, an operator has to act soon. */
const SETTLEMENTS_LEFT = 100n;

async function lookAtGas(parts: DoctorParts): Promise<Verdict> {
  const { facilitator, payTo } = parts.config;
  if (facilitator.kind !== 'built_in') return off('the facilitator pays for gas: set GAS_KEY to settle here');
  if (payTo === null) return off('nothing is sold: set PAY_TO');
  const address = addressOfKey(facilitator.gasKey);
  const chain = chainOf(parts);
  const read = await Promise.all([chain.ether(address), chain.gasPrice()]).catch(() => null);
  if (read === null) return NOT_READ;
  const [wei, price] = read;
  const left = wei / (facilitator.ceilings.gas * (price === 0n ? 1n : price));
  const says = `${address} has ${etherText(wei)} ETH, at least ${left} settlements at today's price`;
  const fix = `send ether on Base to ${address}`;
  if (left === 0n) return failure(says, fix);
  return left < SETTLEMENTS_LEFT ? warning(says, fix) : ok(says);
}

function etherText(wei: bigint): string {
  return (Number(wei / 10n ** 12n) / 1e6).toFixed(6);
}

async function lookAtBuyer(parts: DoctorParts): Promise<Verdict> {
  const { buyerKey, caps } = parts.config;
  if (buyerKey === null) return off('nothing is bought: set BUYER_KEY for assay verify');
  const address = addressOfKey(buyerKey);
  const balance = await chainOf(parts)
    .usdc(address)
    .catch(() => null);
  if (balance === null) return NOT_READ;
  const says = `${address} has ${usdText(balance)} USDC; VERIFY_CAP_DAY is ${usdText(caps.perDay)}`;
  const fix = `send USDC on Base to ${address}`;
  if (balance < caps.perCall) return failure(says, fix);
  return balance < caps.perDay ? warning(says, fix) : ok(says);
}

function usdText(micros: bigint): string {
  return (Number(micros / 10_000n) / 100).toFixed(2);
}
