#!/usr/bin/env node
import type { Voice } from './say-verified.ts';

const USAGE = `usage: assay [command]

  serve     answer requests (what happens without a command)
  verify    pay services of the catalog for one call each, and grade the answers
  crawl     read the public lists, check every listed endpoint once, publish what to skip
  crawl-worker  probe beside a crawl that another process leads, on the same PostgreSQL
  report    which names, refs and tasks lead to lookups
  backup    everything that the store holds, into one file
  restore   a backup, into a store that has never been used
  mcp       the tools for an agent on this machine, over standard input and output
  sandbox   a whole world on this machine to try everything in

assay <command> --help says more.`;

/** People read standard error; standard output is for what programs read. */
const voice: Voice = {
  say: (line) => process.stderr.write(`${line}\n`),
  tell: (value) => process.stdout.write(`${JSON.stringify(value)}\n`),
  fail: (reason) => {
    process.stderr.write(`assay: ${reason}\n`);
    return 1;
  },
};

async function main([command = 'serve', ...argv]: readonly string[]): Promise<number | undefined> {
  switch (command) {
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
      const { runBackup } = await import('./backup.ts');
      return runBackup(argv, voice);
    }
    case 'restore': {
      const { runRestore } = await import('./backup.ts');
      return runRestore(argv, voice);
    }
    case 'mcp': {
      const { runMcp } = await import('./mcp.ts');
      return runMcp(argv, voice);
    }
    case 'sandbox':
      await import('./sandbox.ts');
      return undefined;
    case 'help':
    case '--help':
      process.stdout.write(`${USAGE}\n`);
      return 0;
    default:
      return voice.fail(`no command has the name ${JSON.stringify(command)}\n\n${USAGE}`);
  }
}

try {
  const code = await main(process.argv.slice(2));
  // Those that go on say by themselves how they ended.
  if (code !== undefined) process.exitCode = code;
} catch (fault) {
  process.exitCode = voice.fail(fault instanceof Error ? fault.message : 'it failed');
}
