#!/usr/bin/env node
import { runCommand } from '../cli/run-command.ts';
import { STANDARD_OUTPUT } from './commands/output.ts';
import { runSandbox } from './sandbox/run-sandbox.ts';

process.exitCode = await runCommand('sandbox', process.argv.slice(2), {
  ...STANDARD_OUTPUT,
  run: runSandbox,
});
