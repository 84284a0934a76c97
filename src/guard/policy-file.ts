import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { parseUsd } from '../core/money/micro-usd.ts';
import { isAddress } from '../core/x402/address.ts';
import { parseNetwork } from '../core/x402/networks.ts';
import { readUrl } from './call/read-url.ts';
import { createGuard, type Guard } from './create-guard.ts';
import type { Expect, Expectation, GuardOptions } from './guard-options.ts';
import { realFile } from './ledger/real-file.ts';
import { sqliteLedger } from './ledger/sqlite-ledger.ts';
import { ledgerPath } from './ledger/sqlite-ledger-file.ts';
import { localPath } from './local-path.ts';
import { openSnapshot } from './snapshot/open-snapshot.ts';
import { isServiceUrl } from './snapshot/url-source.ts';

/** The options of a guard as JSON: the ledger is a file, and what is expected is a table by URL. */
const policyFile = z.strictObject({
  ledger: z.string().min(1),
  limits: z.strictObject({
    perPayment: z.string(),
    perDay: z.string(),
    perHostDay: z.string().optional(),
    perTask: z.string().optional(),
  }),
  ask: z.string().nullish(),
  askWhen: z.enum(['always', 'new-terms', 'never']).optional(),
  askTimeoutMs: z.int().min(100).max(60_000).optional(),
  snapshot: z
    .strictObject({
      from: z.string().min(1),
      key: z.string(),
      origin: z.string().optional(),
      memory: z.string().min(1).optional(),
    })
    .optional(),
  onUnavailable: z.enum(['deny', 'local']).optional(),
  expect: z
    .record(
      z.string(),
      z.strictObject({
        price: text((one) => parseUsd(one) !== null, 'is not an amount of US dollars'),
        payTo: text((one) => isAddress(one, 'evm'), 'is not an EVM address'),
        network: text((one) => parseNetwork(one) !== null, 'is not a network'),
      }),
    )
    .superRefine(refuseUnclearUrls)
    .optional(),
  networks: z.record(z.string(), z.strictObject({ usdc: z.string() })).optional(),
  hosts: z.array(z.string()).optional(),
  repeatAfterMs: z.int().optional(),
  lifeMaxSeconds: z.int().optional(),
  chain: z.strictObject({ rpcUrl: z.string() }).nullish(),
});

type PolicyFile = z.infer<typeof policyFile>;

const POLICY_MAX_BYTES = 1_048_576;

/**
 * Throws one clear line: a program with a policy that cannot be read must not start. Paths in it are whole afterwards: a budget for
 * each working directory would be none.
 */
export function readPolicyFile(path: string): PolicyFile {
  const text = readText(path);
  if (text.length > POLICY_MAX_BYTES) throw new Error(`the policy file ${path} is too large`);
  const reading = policyFile.safeParse(parsed(text, path));
  if (reading.success) return withWholePaths(reading.data, dirname(realFile(path)));
  const [issue] = reading.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  throw new Error(`the policy file ${path} is not valid: ${at}${issue?.message ?? 'unknown fault'}`);
}

/** Paths count from the folder of the policy. */
function withWholePaths({ ledger, snapshot, ...rest }: PolicyFile, folder: string): PolicyFile {
  const whole = { ...rest, ledger: ledgerPath(ledger, folder) };
  if (snapshot === undefined) return whole;
  const { from, memory } = snapshot;
  return {
    ...whole,
    snapshot: {
      ...snapshot,
      from: isServiceUrl(from) ? from : localPath(from, folder),
      memory: memory === undefined ? undefined : localPath(memory, folder),
    },
  };
}

/** The guard of a policy file. `fetch` is the one below it. */
export function guardOfPolicy(
  { ledger, expect, snapshot, ...options }: PolicyFile,
  more: Pick<GuardOptions, 'fetch' | 'onDecision'> = {},
): Guard {
  return createGuard({
    ...options,
    ledger: sqliteLedger(ledger),
    snapshot: snapshot === undefined ? undefined : openSnapshot({ ...snapshot, onFork, fetch: more.fetch }),
    expect: expect === undefined ? undefined : expectedIn(expect),
    ...more,
  });
}

function onFork(): void {
  process.emitWarning(
    'The log of the snapshot has shown two histories: its verdicts no longer count (docs/snapshot.md).',
  );
}

function text(isReadable: (text: string) => boolean, message: string) {
  return z.string().refine(isReadable, message).optional();
}

/** A listing that no URL finds, or that another one hides, would be a comparison with nothing. */
function refuseUnclearUrls(table: object, context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const key of Object.keys(table)) {
    const url = standardUrl(key);
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: [key], message });
    if (url === null) refuse('is not an http or https URL');
    else if (seen.has(url)) refuse(`is another spelling of ${url}`);
    else seen.add(url);
  }
}

/** By the whole URL, else by the URL without its query. */
function expectedIn(table: Readonly<Record<string, Expectation>>): Expect {
  const expected = new Map(Object.entries(table).map(([key, value]) => [standardUrl(key), value]));
  return (text) => {
    const url = standardUrl(text) ?? text;
    return expected.get(url) ?? expected.get(url.split('?', 1)[0] ?? url) ?? null;
  };
}

/** The one spelling of the URL standard, without a fragment or an empty query. Null for what is no http or https URL. */
function standardUrl(text: string): string | null {
  const url = readUrl(text);
  if (url === null) return null;
  url.hash = '';
  // Of an empty one, its question mark goes.
  if (url.search === '') url.search = '';
  return url.href;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`the policy file ${path} cannot be read`, { cause });
  }
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`the policy file ${path} is not JSON`, { cause });
  }
}
