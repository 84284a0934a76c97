import { parseArgs } from 'node:util';
import { printTable } from '../../tools/measure.ts';
import type { RequestNote } from '../chaos/journal.ts';
import { buildRelease, commitOf, newestTag } from './previous-release.ts';
import { runUpgrade, type UpgradeResult } from './run-upgrade.ts';

/** `npm run upgrade -- [REF] [--lanes 12] [--seconds 5] [--held 8]`; docs/production.md says more. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    lanes: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '5' },
    held: { type: 'string', default: '8' },
  },
});
const SHOWN_MAX = 30;
const say = (text: string) => console.error(text);
const [lanes = 0, seconds = 0, held = 0] = [values.lanes, values.seconds, values.held].map(Number);
const ref = positionals[0] ?? newestTag();
const commit = ref === null ? null : commitOf(ref);
if (commit === null || !(lanes >= 1 && seconds >= 1 && held >= 0)) {
  say(
    ref !== null && commit === null
      ? `there is no commit ${ref}`
      : 'usage: npm run upgrade -- REF [--lanes 12] [--seconds 5] [--held 8]; without a tag, REF names the previous release',
  );
  process.exit(2);
}
say(`building the previous release, ${commit.slice(0, 12)}`);
const release = buildRelease(commit);
try {
  const result = await runUpgrade({
    oldRoot: release.root,
    lanes,
    calmMs: seconds * 1_000,
    heldMs: held * 1_000,
    say,
  });
  print(result);
  process.exitCode = result.violations.length === 0 ? 0 : 1;
} finally {
  release.remove();
}

function print({ phases, evidence, answers, violations, before }: UpgradeResult): void {
  const { journal, transfers, payTo, log } = evidence;
  const isDuring =
    ({ startedAt, endedAt }: (typeof phases)[number]) =>
    (request: RequestNote) =>
      request.endedAt >= startedAt && request.startedAt <= endedAt;
  printTable(
    ['phase', 'ms', 'requests', 'slowest ms', '5xx', 'no answer'],
    phases.map((phase) => {
      const requests = journal.requests.filter(isDuring(phase));
      const slowest = requests
        .filter(({ what }) => what !== 'dry run of a target that hangs')
        .reduce((most, { startedAt, endedAt }) => Math.max(most, endedAt - startedAt), 0);
      const failed = requests.filter(({ status }) => status !== null && status >= 500).length;
      const unanswered = requests.filter(({ status }) => status === null).length;
      const numbers = [phase.endedAt - phase.startedAt, requests.length, slowest, failed, unanswered];
      return [phase.name, ...numbers.map(String)];
    }),
  );
  const taken = transfers.filter(({ to }) => to.toLowerCase() === payTo.toLowerCase()).length;
  console.log(`answers: ${[...answers].map((pair) => pair.join(' ')).join(', ')} (1 and 2 old, 3 and 4 new)`);
  console.log(`free uses granted and counted: ${journal.freeUses.length}`);
  console.log(
    `purchases: ${journal.purchases.length}, transfers to us: ${taken}, paid answers read again: ${evidence.replays.length}`,
  );
  console.log(`receipts: ${journal.receipts.size}, read again: ${evidence.receipts.length}`);
  console.log(`log: ${log?.size ?? 0} entries, ${journal.checkpoints.size} checkpoints compared`);
  console.log(`way back: ${before.receipts} receipts and ${before.paid} paid answers of the backup`);
  console.log(violations.length === 0 ? 'no violations' : `${violations.length} VIOLATIONS`);
  for (const { rule, evidence: shown } of violations.slice(0, SHOWN_MAX))
    console.log(`- ${rule}\n  ${shown}`);
}
