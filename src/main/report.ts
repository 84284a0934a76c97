import { parseArgs } from 'node:util';
import { ATTRIBUTION_KEPT_DAYS } from '../flows/operate/record-attribution.ts';
import { type AttributionReport, reportAttribution } from '../flows/operate/report-attribution.ts';
import { loadCatalog } from './build/load-catalog.ts';
import { openStore } from './build/open-store.ts';
import { reportJson, reportText } from './commands/render-report.ts';
import { type Config, readConfig } from './config/config.ts';

const USAGE = 'usage: assay report [--since days] [--json]';
const HELP = `${USAGE}

Which refs, clients and tasks lead to lookups, and which sellers of the catalog the wallets that callers named
have paid since.

  --since days   whole UTC days to look back, 1 to ${ATTRIBUTION_KEPT_DAYS}; 30 when left out
  --json         one JSON object instead of text`;

/** Where it is run; tests bring their own. */
export interface Surroundings {
  readonly environment?: NodeJS.ProcessEnv;
  readonly now: () => Date;
  readonly print: (text: string) => void;
  readonly complain: (line: string) => void;
}

const TERMINAL: Surroundings = {
  now: () => new Date(),
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (line) => process.stderr.write(`assay: ${line}\n`),
};

/** Says what the operator wants to know about lookups. Answers the exit code. */
export async function report(argv: readonly string[], around: Surroundings = TERMINAL): Promise<number> {
  const options = readOptions(argv);
  if (options.kind === 'help') {
    around.print(HELP);
    return 0;
  }
  if (options.kind === 'wrong') return fail(around, options.problem);
  const reading = readConfig(around.environment);
  if (reading.kind === 'invalid') return fail(around, `wrong setting: ${reading.problem}`);
  try {
    const since = new Date(around.now().getTime() - options.days * DAY_MS);
    const found = await read(reading.config, since);
    around.print(options.json ? JSON.stringify(reportJson(found)) : reportText(found));
    return 0;
  } catch (fault) {
    return fail(around, fault instanceof Error ? fault.message : 'the report failed');
  }
}

const DAY_MS = 86_400_000;
const DAYS_DEFAULT = '30';

type Options =
  | { readonly kind: 'report'; readonly days: number; readonly json: boolean }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly problem: string };

function readOptions(argv: readonly string[]): Options {
  const values = parsed(argv);
  if (typeof values === 'string') return { kind: 'wrong', problem: `${values}; ${USAGE}` };
  const { since = DAYS_DEFAULT, json = false, help = false } = values;
  if (help) return { kind: 'help' };
  const days = /^[1-9][0-9]{0,3}$/.test(since) ? Number(since) : 0;
  if (days >= 1 && days <= ATTRIBUTION_KEPT_DAYS) return { kind: 'report', days, json };
  return {
    kind: 'wrong',
    problem: `--since must be a whole number of days from 1 to ${ATTRIBUTION_KEPT_DAYS}`,
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: { since: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
    }).values;
  } catch (fault) {
    // What follows its first sentence is advice about how to write options in general.
    return fault instanceof Error ? (fault.message.split(/\.\s|\n/)[0] ?? '') : 'the options cannot be read';
  }
}

async function read(config: Config, since: Date): Promise<AttributionReport> {
  const index = loadCatalog();
  const store = await openStore(config);
  try {
    const { createTransferLog } = await import('../adapters/facilitator/transfers.ts');
    const transfers = createTransferLog({ rpcUrl: config.node.url });
    const catalog = { index, facts: store.paidCalls };
    return await reportAttribution({ attribution: store.attribution, catalog, transfers }, since);
  } finally {
    await store.close();
  }
}

function fail({ complain }: Surroundings, reason: string): number {
  complain(reason);
  return 1;
}
