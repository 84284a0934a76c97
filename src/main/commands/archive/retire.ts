import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { weekFiles } from '../../../adapters/archive/week-files.ts';
import type { Store } from '../../../adapters/store/store.ts';
import type { Outcome } from '../../../cli/exit-code.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { mondayOf, weeksLater } from '../../../core/receipt/iso-week.ts';
import { type AlonePorts, retireAlone } from '../../../flows/operate/retire-alone.ts';
import type { RetiredWeek } from '../../../flows/operate/retire-receipts.ts';
import { SYSTEM } from '../../build/system.ts';
import type { Config } from '../../config/config.ts';
import type { Output } from '../output.ts';
import { withUsedStore } from '../with-used-store.ts';
import { receiptFiles } from './receipt-files.ts';

const HELD = 'another assay retire runs on this database; if none does, it was killed: try again in a minute';
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** assay retire */
export async function runRetire(
  given: Arguments,
  output: Output,
  environment?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const before = dayOf(given.text('--before'));
  if (before === null) return { invalid: '--before must be a day such as 2026-06-01' };
  const folder = given.text('--to');
  if (folder === null) return { invalid: '--to must be a folder' };
  const monday = mondayOf(before);
  // Claims, answers of payments and clocks that differ are about days, not weeks.
  const newest = weeksLater(mondayOf(SYSTEM.now()), -1);
  if (monday > newest) return { invalid: `--before must not be after ${newest.toISOString().slice(0, 10)}` };
  return withUsedStore(output, environment, async (store, config) => {
    if (existsSync(join(folder, 'index.jsonl')))
      return output.fail(`${folder} has an export: use another folder for the archive`);
    if (given.has('--files') && config.baseUrl === null)
      return output.fail('--files needs BASE_URL for links');
    let weeks = 0;
    const onWeek = (week: RetiredWeek) => {
      weeks += 1;
      if (given.has('--json')) output.json(week);
      else output.print(weekText(week));
    };
    const retired = await retireAlone(monday, {
      ...portsOf(store, config, folder, given.has('--files')),
      onWeek,
      jobs: store.jobs,
      now: SYSTEM.now,
      wait: SYSTEM.wait,
      newId: () => randomUUID(),
    });
    if (retired === 'held_elsewhere') return output.fail(HELD);
    const day = monday.toISOString().slice(0, 10);
    output.note(
      weeks === 0
        ? `the store has no receipts before ${day}; nothing was moved`
        : `receipts before ${day} are in ${folder} and no longer in the store`,
    );
    return 0;
  });
}

function portsOf(
  store: Store,
  { baseUrl }: Config,
  folder: string,
  isInFiles: boolean,
): Pick<AlonePorts, 'weeks' | 'withdrawals' | 'archive' | 'files'> {
  const ports = { weeks: store.receiptWeeks, withdrawals: store.withdrawals, archive: weekFiles(folder) };
  return isInFiles && baseUrl !== null ? { ...ports, files: receiptFiles(store, folder, baseUrl) } : ports;
}

function weekText({ week, receipts, sha256 }: RetiredWeek): string {
  return `${week}  ${receipts} receipts  sha256 ${sha256}`;
}

function dayOf(text: string | null): Date | null {
  if (text === null || !DAY.test(text)) return null;
  const day = new Date(`${text}T00:00:00.000Z`);
  return Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text ? null : day;
}
