import { createHash } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { auditLog } from '../../../src/core/log/audit.ts';
import { parsePolicy } from '../../../src/core/log/policy.ts';
import { readRunStatement } from '../../../src/core/statement/run-statement.ts';
import { useSandbox } from '../../support/running/running-sandbox.ts';

const sandbox = useSandbox();

const bytesAt = async (path: string) => {
  const answer = await fetch(`${sandbox().base_url}${path}`);
  return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
};
const textAt = async (path: string) => Buffer.from((await bytesAt(path)) ?? []).toString();

it('the run of a crawl is in the log of the service, with its receipts and the hashes of its lists', async () => {
  const { skips } = JSON.parse(await textAt('/v1/skips.json'));
  const receipt = await textAt(`/v1/receipts/${skips[0].id}/statement`);
  const { run } = JSON.parse(receipt);
  const policy = parsePolicy(await textAt('/log/policy'));
  if ('fault' in policy) throw new Error(policy.fault);
  const audit = async (folder: string, origin?: string) => {
    const entries: string[] = [];
    const report = await auditLog({
      fetchFile: (path) => bytesAt(`${folder}/${path}`),
      onEntry: (entry) => void entries.push(Buffer.from(entry).toString()),
      policy,
      filesAtOnce: 2,
      sizeMax: 10_000,
      ...(origin === undefined ? {} : { origin }),
    });
    expect(report.faults).toEqual([]);
    return { entries, head: report.head };
  };
  const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
  const { entries, head } = await audit(`/log/run/${run}`, `${policy.logs[0]?.key.name}/run/${run}`);
  expect(entries).toContain(`assay receipt v1\n-\n${hashOf(receipt)}\n`);
  const statement = await textAt(`/log/run/${run}/statement`);
  expect(readRunStatement(statement)).toMatchObject({ id: run, size: head?.size, root: head?.root });
  for (const [, source] of readRunStatement(statement)?.sources ?? []) {
    expect(source).toMatchObject({ ok: true, sha256: expect.any(String) });
  }
  // The entry of the run gets its place in the next round.
  const entry = `assay run v1\n${run}\n${hashOf(statement)}\n`;
  await vi.waitFor(
    async () => {
      expect((await audit('/log')).entries).toContain(entry);
    },
    { timeout: 30_000, interval: 500 },
  );
});
