import { type MicroUsd, parseMaxUsd } from '../core/money/micro-usd.ts';
import { isAddress, isSameAddress } from '../core/x402/address.ts';
import { MAINNETS, type Mainnet, parseNetwork } from '../core/x402/networks.ts';
import { hostOf } from './call/call.ts';
import type { GuardLimits, GuardOptions } from './guard-options.ts';

/** The options after validation: amounts are numbers, networks are a table. */
export interface Policy {
  readonly perPayment: MicroUsd;
  readonly perDay: MicroUsd;
  readonly perHostDay: MicroUsd | null;
  readonly perTask: MicroUsd | null;
  readonly approveAbove: MicroUsd | null;
  readonly networks: readonly Mainnet[];
  readonly hosts: readonly string[] | null;
  readonly repeatAfterMs: number;
  readonly lifeMaxSeconds: number;
}

const REPEAT_AFTER_MS = 60_000;
const LIFE_MAX_SECONDS = 900;
const A_DAY_SECONDS = 86_400;
const HOSTS_MAX = 10_000;
const ASK_TIMEOUT_MAX_MS = 60_000;

const OPTIONS: ReadonlySet<string> = new Set<keyof GuardOptions>([
  ...(['ledger', 'limits', 'expect', 'networks', 'hosts', 'approve', 'approveAbove'] as const),
  ...(['ask', 'askWhen', 'askTimeoutMs', 'payAsk', 'snapshot', 'onUnavailable', 'chain'] as const),
  ...(['repeatAfterMs', 'lifeMaxSeconds', 'fetch', 'now', 'onDecision'] as const),
]);

const LIMITS: ReadonlySet<string> = new Set<keyof GuardLimits>([
  'perPayment',
  'perDay',
  'perHostDay',
  'perTask',
]);

/** Throws a TypeError that names the option: a guard with a misspelt limit must not start. */
export function readPolicy(options: GuardOptions): Policy {
  const { limits } = options;
  for (const name of Object.keys(options)) if (!OPTIONS.has(name)) throw wrong(name, 'is not an option');
  if (typeof limits !== 'object' || limits === null) throw wrong('limits', 'is required');
  for (const name of Object.keys(limits))
    if (!LIMITS.has(name)) throw wrong(`limits.${name}`, 'is not a limit');
  requireHttpUrl('ask', options.ask);
  requireHttpUrl('chain.rpcUrl', options.chain?.rpcUrl);
  // A timer that is set for longer than it can be ends at once.
  wholeNumber('askTimeoutMs', options.askTimeoutMs ?? 1, 1, ASK_TIMEOUT_MAX_MS);
  // Otherwise it would fail at each purchase.
  if (options.expect != null && typeof options.expect !== 'function')
    throw wrong('expect', 'is not a function of the URL');
  if (options.snapshot !== undefined && typeof options.snapshot?.look !== 'function')
    throw wrong('snapshot', 'is not what openSnapshot returns');
  const approveAbove = optionalUsd('approveAbove', options.approveAbove);
  if (approveAbove !== null && options.approve === undefined) {
    throw wrong('approveAbove', 'needs the function approve');
  }
  return {
    perPayment: usd('limits.perPayment', limits.perPayment),
    perDay: usd('limits.perDay', limits.perDay),
    perHostDay: optionalUsd('limits.perHostDay', limits.perHostDay),
    perTask: optionalUsd('limits.perTask', limits.perTask),
    approveAbove,
    networks: [...PAYABLE, ...otherNetworks(options.networks ?? {})],
    hosts: hostNames(options.hosts),
    repeatAfterMs: wholeNumber(
      'repeatAfterMs',
      options.repeatAfterMs ?? REPEAT_AFTER_MS,
      0,
      Number.MAX_SAFE_INTEGER,
    ),
    lifeMaxSeconds: wholeNumber(
      'lifeMaxSeconds',
      options.lifeMaxSeconds ?? LIFE_MAX_SECONDS,
      1,
      A_DAY_SECONDS,
    ),
  };
}

/** Only transfer authorizations of EVM networks can be compared with the approved terms after they are signed. */
const PAYABLE = MAINNETS.filter(({ addresses }) => addresses === 'evm');

function otherNetworks(named: NonNullable<GuardOptions['networks']>): readonly Mainnet[] {
  return Object.entries(named).flatMap(([name, { usdc }]) => {
    const network = parseNetwork(name);
    if (network === null || !network.startsWith('eip155:'))
      throw wrong(`networks.${name}`, 'is not an EVM network');
    if (!isAddress(usdc, 'evm')) throw wrong(`networks.${name}.usdc`, 'is not an address');
    const known = PAYABLE.find((one) => one.network === network);
    if (known === undefined) return [{ network, name, addresses: 'evm', usdc }];
    if (!isSameAddress(known.usdc, usdc))
      throw wrong(`networks.${name}.usdc`, 'is not the USDC of this network');
    return [];
  });
}

const HOST_NAME = /^(?:\*\.)?[a-z0-9._-]{1,253}$|^\[[0-9a-f:.]{2,45}\]$/;

function hostNames(hosts: GuardOptions['hosts']): readonly string[] | null {
  if (hosts === undefined) return null;
  if (!Array.isArray(hosts) || hosts.length > HOSTS_MAX) throw wrong('hosts', 'is not a list of host names');
  return hosts.map((host: unknown, at) => {
    const name = typeof host === 'string' ? hostName(host.toLowerCase()) : null;
    if (name === null) throw wrong(`hosts[${at}]`, 'is not a host name; leave out scheme, port and path');
    return name;
  });
}

/** In the spelling of URLs: an IP address has many others. */
function hostName(text: string): string | null {
  const wildcard = text.startsWith('*.') ? '*.' : '';
  const url = `http://${text.slice(wildcard.length)}/`;
  return HOST_NAME.test(text) && URL.canParse(url) ? wildcard + hostOf(new URL(url).hostname) : null;
}

export function isAllowedHost(host: string, hosts: readonly string[] | null): boolean {
  if (hosts === null) return true;
  const name = host.toLowerCase();
  return hosts.some((allowed) =>
    allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed,
  );
}

function requireHttpUrl(name: string, text: unknown): void {
  if (text === undefined || text === null) return;
  const isUrl = typeof text === 'string' && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isUrl) throw wrong(name, 'is not an http or https URL');
}

function usd(name: string, text: unknown): MicroUsd {
  const amount = typeof text === 'string' ? parseMaxUsd(text) : null;
  if (amount === null) throw wrong(name, "is required: US dollars like '0.10', in text");
  return amount;
}

function optionalUsd(name: string, text: unknown): MicroUsd | null {
  return text === undefined || text === null ? null : usd(name, text);
}

function wholeNumber(name: string, value: unknown, min: number, max: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw wrong(name, `is not a whole number from ${min} to ${max}`);
}

function wrong(name: string, what: string): TypeError {
  return new TypeError(`guard: ${name} ${what}`);
}
