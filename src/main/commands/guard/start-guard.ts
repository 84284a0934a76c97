import type { Outcome } from '../../../cli/exit-code.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import type { Output } from '../output.ts';

/** assay guard mcp: what was typed decides which server is guarded. */
export async function startGuardMcp(given: Arguments, output: Output): Promise<Outcome> {
  const policy = given.text('--policy');
  const url = given.text('--url');
  const command = [...given.words];
  if (policy === null) return { invalid: '--policy is required' };
  if (url === null && command.length === 0)
    return { invalid: 'a server is required: its command after --, or --url' };
  if (url !== null && command.length > 0) return { invalid: 'give either a command or --url, not both' };
  if (url !== null && !isHttpUrl(url)) return { invalid: '--url must be an http or https URL' };
  const { runGuardMcp } = await import('./mcp.ts');
  return runGuardMcp(policy, url === null ? { command } : { url }, output);
}

/** assay guard gdp: the limits are those of the task that it is told. */
export async function startGuardGdp(_given: Arguments, output: Output): Promise<Outcome> {
  const { runGuardGdp } = await import('./gdp.ts');
  return runGuardGdp(output);
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
