import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DescribedAnswers, describedAnswers } from '../../support/clients/described-answers.ts';
import { type Exchange, generateClients, runClient, typeFaults } from '../../support/clients/run-client.ts';
import { useSandbox } from '../../support/running/running-sandbox.ts';

/** Two usual generators make clients of /openapi.json, and a program calls every route with each. */
const sandbox = useSandbox();
const folder = mkdtempSync(join(tmpdir(), 'assay-clients-'));
const kept: { answers?: DescribedAnswers } = {};

beforeAll(async () => {
  const text = await (await fetch(`${sandbox().base_url}/openapi.json`)).text();
  kept.answers = describedAnswers(JSON.parse(text));
  await generateClients(text, folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

function taskFrom(caller: string) {
  const { base_url: base, sellers, buyer_keys: keys } = sandbox();
  return { base, url: sellers['honest'], buyerKey: keys[0], caller };
}

/** Each operation with the statuses that it gave, and everything that is not as described. */
function compared(exchanges: readonly Exchange[]) {
  const { answers } = kept;
  if (answers === undefined) throw new Error('there is no description yet');
  const statuses = new Map(answers.operations.map(({ name }) => [name, new Set<number>()]));
  const faults = exchanges.flatMap((exchange) => {
    const operation = answers.operationOf(exchange.method, exchange.path);
    if (operation === undefined) return [`${exchange.method} ${exchange.path}: no such route`];
    statuses.get(operation.name)?.add(exchange.status);
    return answers.faults(operation, exchange);
  });
  const called = [...statuses].map(([name, given]): [string, string] => [name, [...given].sort().join(' ')]);
  return { faults, called: Object.fromEntries(called) };
}

describe('clients that are generated from /openapi.json', () => {
  it('take calls without any argument that the service does not need', async () => {
    expect(await typeFaults(folder)).toBe('');
  });

  it('of openapi-typescript call every route, and pay for it', async () => {
    const exchanges = await runClient(folder, 'openapi-fetch-program', taskFrom('198.51.100.7'));
    const { faults, called } = compared(exchanges);
    expect(faults).toEqual([]);
    expect(called).toEqual({
      ...ANSWERED,
      'GET /v1/lookup/paid': '200 402',
      'POST /v1/products/endpoint-spot-check': '200 402',
      'GET /v1/products/overnight-cos-pack': '200 402',
      'POST /v1/products/overnight-cos-pack': '200 402',
      'GET /v1/receipts/by-url': '200 404',
      'GET /v1/receipts/{id}': '200 404',
      'POST /mcp': '200 202',
    });
  });

  it('of @hey-api/openapi-ts call every route', async () => {
    const exchanges = await runClient(folder, 'hey-api-program', taskFrom('198.51.100.8'));
    const { faults, called } = compared(exchanges);
    expect(faults).toEqual([]);
    expect(called).toEqual({
      ...ANSWERED,
      'GET /v1/lookup/paid': '402',
      'POST /v1/products/endpoint-spot-check': '200 402',
      'GET /v1/products/overnight-cos-pack': '402',
      'POST /v1/products/overnight-cos-pack': '402',
    });
  });
});

/** Every route, and what it answers to a call that needs no payment. */
const ANSWERED: Readonly<Record<string, unknown>> = {
  'GET /v1/lookup': '200',
  'GET /v1/lookup/paid': '200',
  'GET /v1/products/endpoint-spot-check': '200',
  'POST /v1/products/endpoint-spot-check': '200',
  'GET /v1/products/overnight-cos-pack': '200',
  'POST /v1/products/overnight-cos-pack': '200',
  'GET /v1/skips': '200',
  'GET /v1/skips.json': '200',
  'GET /v1/skips.csv': '200',
  'GET /v1/skips.atom': '200',
  'GET /v1/receipts': '200',
  'GET /v1/receipts/by-url': '200',
  'GET /v1/receipts/{id}': '200',
  'GET /v1/receipts/{id}/statement': '200',
  // A receipt waits up to two seconds for its place in the log.
  'GET /v1/receipts/{id}/proof': expect.stringMatching(/^(200|404)( 404)?$/),
  'GET /v1/receipts/{id}/proof.tlog-proof': expect.stringMatching(/^(200|404)( 404)?$/),
  'GET /log/rules/{version}.mjs': '200',
  'GET /log/policy': '200',
  'GET /log/checkpoint': '200',
  'GET /v1/tasks': '200',
  'GET /v1/services': '200',
  'GET /v1/services/{id}': '200',
  'GET /v1/hosts/{host}': '200',
  'GET /v1/payees/{address}': '200',
  'GET /badge.svg': '200',
  'GET /healthz': '200',
  'GET /readyz': '200',
  'GET /v1/snapshot': '200',
  'GET /snapshot/{sha256}.bin': '200',
  'GET /snapshot/{sha256}/{part}.bin': '200',
  // There is one crawl, so nothing to change from.
  'GET /snapshot/{from}-{to}.delta': '404',
  'GET /v1/corrections': '200',
  'POST /v1/sellers': expect.stringMatching(/^4/),
  'GET /v1/watch.atom': '200',
  'POST /mcp': '200',
};
