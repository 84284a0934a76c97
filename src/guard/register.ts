import { guardOfPolicy, readPolicyFile } from './policy-file.ts';

/**
 * `node --import assay/guard/register program.js`: every fetch of an unchanged program goes through the guard that the file in
 * ASSAY_GUARD describes. A program that cannot be guarded does not start.
 */
const path = process.env['ASSAY_GUARD'] ?? '';
try {
  if (path === '') throw new Error('set ASSAY_GUARD to the path of a policy file');
  const { fetch } = globalThis;
  const guard = guardOfPolicy(readPolicyFile(path), { fetch: (input, init) => fetch(input, init) });
  globalThis.fetch = guard.fetch;
} catch (fault) {
  const words = fault instanceof Error ? fault.message : String(fault);
  process.stderr.write(`assay ${words.startsWith('guard: ') ? words : `guard: ${words}`}\n`);
  process.exit(1);
}
