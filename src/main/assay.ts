#!/usr/bin/env node
import { type CommandSpec, findCommand } from '../cli/command-table.ts';
import { overview, unknownCommand, wantsHelp } from '../cli/overview.ts';
import type { Voice } from './commands/print-verified.ts';

/** People read standard error; standard output is for what programs read. */
const voice: Voice = {
  say: (line) => process.stderr.write(`${line}\n`),
  tell: (value) => process.stdout.write(`${JSON.stringify(value)}\n`),
  fail: (reason) => {
    process.stderr.write(`assay: ${reason}\n`);
    return 1;
  },
};

/** As for every mistake in what was typed. */
const USAGE = 2;

async function main([word = 'serve', ...argv]: readonly string[]): Promise<number | undefined> {
  if (word === '--version' || word === '-V') {
    const { packageVersion } = await import('./build/runtime.ts');
    return print(packageVersion());
  }
  const asksHelp = word === 'help' || word === '--help' || word === '-h';
  const [about] = argv;
  if (asksHelp && about === undefined) return print(overview());
  const name = asksHelp ? (about ?? '') : word;
  const command = findCommand(name);
  if (command === undefined) {
    voice.fail(`${unknownCommand(name)}\n  assay help lists them all`);
    return USAGE;
  }
  if (asksHelp || wantsHelp(argv)) {
    const { helpOf } = await import('../cli/read-arguments.ts');
    return print(helpOf(command));
  }
  return run(command, argv);
}

/** Each is loaded only when it is wanted. */
async function run(command: CommandSpec, argv: readonly string[]): Promise<number | undefined> {
  switch (command.name) {
    case 'serve':
      await import('./serve.ts');
      return undefined; // It goes on until it is told to stop.
    case 'verify': {
      const { verify } = await import('./verify.ts');
      return verify(argv, voice);
    }
    case 'crawl': {
      const { runCrawl } = await import('./crawl.ts');
      return runCrawl(argv, voice);
    }
    case 'crawl-worker': {
      const { runCrawlWorker } = await import('./crawl.ts');
      return runCrawlWorker(argv, voice);
    }
    case 'report': {
      const { report } = await import('./report.ts');
      return report(argv);
    }
    case 'backup': {
      const { runBackup } = await import('./commands/backup.ts');
      return runBackup(argv, voice);
    }
    case 'restore': {
      const { runRestore } = await import('./commands/backup.ts');
      return runRestore(argv, voice);
    }
    case 'mcp': {
      const { runMcp } = await import('./commands/mcp.ts');
      return runMcp(argv, voice);
    }
    case 'migrate': {
      const { migrate } = await import('./migrate.ts');
      return migrate(argv);
    }
    case 'sandbox':
      await import('./sandbox.ts');
      return undefined;
    default: {
      const { runAsking } = await import('./cli-run.ts');
      return runAsking(command, argv);
    }
  }
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}

try {
  const code = await main(process.argv.slice(2));
  // Those that go on say by themselves how they ended.
  if (code !== undefined) process.exitCode = code;
} catch (fault) {
  process.exitCode = voice.fail(fault instanceof Error ? fault.message : 'it failed');
}
