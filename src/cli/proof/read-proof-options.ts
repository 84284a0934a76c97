import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, member, parseJson } from '../../core/x402/read-json.ts';
import type { CommandContext } from '../command-context.ts';
import type { Arguments } from '../read-arguments.ts';
import { type LogMemory, logMemoryIn } from './log-memory.ts';

export interface ProofOptions {
  readonly memory: LogMemory;
  /** The policy file that was given. */
  readonly policy: string | null;
  /** The note of a promise that was given. */
  readonly promise: string | null;
}

const FILE_MAX_BYTES = 4_194_304;

/** Or one line about what is wrong. */
export function readProofOptions(given: Arguments, { settings }: CommandContext): ProofOptions | string {
  const policy = optionFile(given, '--policy');
  const promise = optionFile(given, '--promise');
  for (const read of [policy, promise]) if (read !== null && 'problem' in read) return read.problem;
  return {
    memory: logMemoryIn(given.text('--memory') ?? join(settings.configFolder, 'assay', 'log')),
    policy: policy !== null && 'text' in policy ? policy.text : null,
    promise: promise !== null && 'text' in promise ? promiseIn(promise.text) : null,
  };
}

/** The text of a file, or null when it cannot be read or is too large. */
export function readSmallFile(file: string): string | null {
  try {
    return statSync(file).size > FILE_MAX_BYTES ? null : readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function optionFile(given: Arguments, name: string): { text: string } | { problem: string } | null {
  const file = given.text(name);
  if (file === null) return null;
  const text = readSmallFile(file);
  return text === null ? { problem: `the file of ${name} cannot be read` } : { text };
}

/** The note itself, or the saved answer of a check that has it. */
function promiseIn(text: string): string {
  const answer = parseJson(text);
  const note = isJsonObject(answer) ? member(answer, 'receipt_promise') : null;
  return typeof note === 'string' ? note : text;
}
