import { parseUsd } from '../../core/money/micro-usd.ts';
import type { Expected } from '../../core/verdict/expected-terms.ts';
import { isAddress } from '../../core/x402/address.ts';
import { parseNetwork } from '../../core/x402/networks.ts';
import type { Call } from '../call/call.ts';
import type { GuardOptions } from '../guard-options.ts';
import { GuardRefused } from '../guard-refused.ts';
import { withDeadline } from '../with-deadline.ts';

const NOTHING: Expected = { price: null, payTo: null, network: null, source: null };

/** Callers of the same request wait for the same answer. */
const EXPECT_WITHIN_MS = 30_000;

/** What the buyer's own listing says. One that cannot be read refuses: comparing with nothing would be a `pay`. */
export async function readExpectation({ expect }: GuardOptions, { url, method }: Call): Promise<Expected> {
  if (expect == null) return NOTHING;
  const said = await withDeadline(EXPECT_WITHIN_MS, async () => expect(url.href, { method }));
  if (said === 'timed_out') throw unread('no answer within 30 seconds');
  if (said === undefined || said === null) return NOTHING;
  // Such as false, as if it had been asked to approve.
  if (typeof said !== 'object' || Array.isArray(said)) throw unread('something else than an object');
  const { price = null, payTo = null, network = null, ...others } = said;
  // A misspelled payee, or the pay_to of the HTTP interface, would not be compared.
  if (Object.keys(others).length > 0) throw unread('a member other than price, payTo and network');
  return {
    price: price === null ? null : read('price', parseUsd(price)),
    payTo: payTo === null ? null : read('payTo', isAddress(payTo, 'evm') ? payTo : null),
    network: network === null ? null : read('network', parseNetwork(network)),
    source: 'request',
  };
}

function read<T>(member: string, value: T | null): T {
  if (value === null) throw unread(`a ${member} that cannot be read`);
  return value;
}

function unread(what: string): GuardRefused {
  return new GuardRefused('not_approved', { words: `The function expect gave ${what}.` });
}
