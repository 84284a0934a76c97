import type { Output } from '../output.ts';

/** assay guard gdp: not built yet. */
export async function runGuardGdp(_policy: string | null, output: Output): Promise<number> {
  return output.fail('assay guard gdp is not built yet');
}
