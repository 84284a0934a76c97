#!/usr/bin/env node
import type { Voice } from './commands/print-verified.ts';
import type { Sandbox } from './sandbox/start.ts';
import { readOptions, type SandboxOptions, USAGE } from './sandbox-options.ts';

async function main(): Promise<void> {
  const reading = readOptions(process.argv.slice(2));
  if (reading.kind === 'help') return tell(`usage: ${USAGE}`);
  if (reading.kind === 'invalid') return giveUp(reading.problem);
  await run(reading.options);
}

async function run(options: SandboxOptions): Promise<void> {
  // Loaded only now: it takes a second, which nobody should wait for a message about a mistyped argument.
  const { startSandbox } = await import('./sandbox/start.ts');
  const { guideOf } = await import('./sandbox/guide.ts');
  const { reportOf } = await import('./sandbox-report.ts');
  const started: Started = {};
  stopOnSignal(started);
  started.sandbox = startSandbox({
    ...options,
    now: () => new Date(),
    onFault: (id, fault) => say(`request ${id} failed: ${String(fault)}`),
  });
  try {
    const sandbox = await started.sandbox;
    if (options.verify) await verify(sandbox);
    if (options.crawl) await crawl(sandbox);
    tell(options.json ? JSON.stringify(reportOf(sandbox)) : guideOf(sandbox));
  } catch (fault) {
    giveUp(fault instanceof Error ? fault.message : 'cannot start');
  }
}

async function verify(sandbox: Sandbox): Promise<void> {
  const { verifySandbox } = await import('./sandbox-verify.ts');
  await verifySandbox(sandbox, VOICE);
}

async function crawl(sandbox: Sandbox): Promise<void> {
  const { crawlSandbox } = await import('./sandbox/crawl.ts');
  await crawlSandbox(sandbox, VOICE);
}

const VOICE: Voice = { say, tell: (value) => say(JSON.stringify(value)), fail: () => 1 };

interface Started {
  sandbox?: Promise<Sandbox>;
}

/**
 * Before there is anything to remove, so that no signal comes in between. A terminal and npm may both pass on the same Ctrl-C:
 * the second one changes nothing.
 */
function stopOnSignal(started: Started): void {
  const stopping: Promise<void>[] = [];
  const stop = async () => (await started.sandbox)?.stop();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping.length === 0) stopping.push(stop().catch(() => giveUp('cannot stop cleanly')));
    });
  }
}

function giveUp(reason: string): void {
  say(reason);
  process.exitCode = 1;
}

function tell(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** In one line, beside what programs read. */
function say(line: string): void {
  process.stderr.write(`sandbox: ${line.replaceAll('\n', ' ')}\n`);
}

await main();
