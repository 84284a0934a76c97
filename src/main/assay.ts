#!/usr/bin/env node
import { type AskName, isAskName } from '../cli/ask-commands.ts';
import { type CommandName, isCommandName, isGroup } from '../cli/command-table.ts';
import { EXIT, type Outcome } from '../cli/exit-code.ts';
import { readTyped, unknownCommand } from '../cli/overview.ts';
import type { Arguments } from '../cli/read-arguments.ts';
import { faultText, STANDARD_OUTPUT as output } from './commands/output.ts';

type Run = (given: Arguments) => Promise<Outcome>;

/** The commands that run a service or its store, each loaded on first use. */
const OPERATE: Readonly<Record<Exclude<CommandName, AskName>, Run>> = {
  serve: async () => (await import('./serve/run-service.ts')).runService(),
  verify: async (given) => (await import('./commands/verify.ts')).verify(given, output),
  crawl: async (given) => (await import('./commands/crawl.ts')).runCrawl(given, output),
  'crawl-worker': async (given) => (await import('./commands/crawl.ts')).runCrawlWorker(given, output),
  report: async (given) => (await import('./commands/report.ts')).report(given, output),
  migrate: async (given) => (await import('./commands/migrate.ts')).migrate(given, output),
  doctor: async (given) => (await import('./commands/doctor.ts')).runDoctor(given, output),
  mcp: async (given) => (await import('./commands/mcp.ts')).runMcp(given, output),
  backup: async (given) => (await import('./commands/backup/backup.ts')).runBackup(given, output),
  restore: async (given) => (await import('./commands/backup/backup.ts')).runRestore(given, output),
  witness: async (given) => (await import('./commands/log/witness.ts')).runWitness(given, output),
  vantage: async (given) => (await import('./commands/vantage.ts')).runVantage(given, output),
  'vantage-key': async () => (await import('./commands/vantage.ts')).runVantageKey(output),
  'log epoch': async (given) => (await import('./commands/log/log-epoch.ts')).runLogEpoch(given, output),
  'log export': async (given) => (await import('./commands/log/log-export.ts')).runLogExport(given, output),
  withdraw: async (given) => (await import('./commands/log/withdraw.ts')).runWithdraw(given, output),
  export: async (given) => (await import('./commands/export/export.ts')).runExport(given, output),
  retire: async (given) => (await import('./commands/archive/retire.ts')).runRetire(given, output),
  correct: async (given) => (await import('./commands/log/correct.ts')).runCorrect(given, output),
  'guard serve': async (given) => (await import('./commands/guard/serve.ts')).runGuardServe(given, output),
  'guard mcp': async (given) =>
    (await import('./commands/guard/start-guard.ts')).startGuardMcp(given, output),
  'guard gdp': async (given) =>
    (await import('./commands/guard/start-guard.ts')).startGuardGdp(given, output),
  sandbox: async (given) => (await import('./sandbox/run-sandbox.ts')).runSandbox(given),
  tour: async () => (await import('./sandbox/tour/run-tour.ts')).runTour(output),
};

async function main(words: readonly string[]): Promise<number> {
  const typed = readTyped(words);
  if (typed.kind === 'version') {
    const { packageVersion } = await import('./build/runtime.ts');
    return print(packageVersion());
  }
  if (typed.kind === 'overview') return print(typed.text);
  const { name } = typed;
  if (isCommandName(name)) return run(name, typed.argv);
  const [group = ''] = name.split(' ', 1);
  output.fail(`${unknownCommand(name)}; see assay help${isGroup(group) ? ` ${group}` : ''}`);
  return EXIT.usage;
}

async function run(name: CommandName, argv: readonly string[]): Promise<number> {
  if (isAskName(name)) {
    const { runAskCommand } = await import('./commands/run-ask-command.ts');
    return runAskCommand(name, argv);
  }
  const { runCommand } = await import('../cli/run-command.ts');
  return runCommand(name, argv, { ...output, run: OPERATE[name] });
}

function print(text: string): number {
  output.print(text);
  return EXIT.done;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (fault) {
  process.exitCode = output.fail(faultText(fault));
}
