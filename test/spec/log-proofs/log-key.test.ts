import { expect, it } from 'vitest';
import { logWorld, policyOf } from '../../support/log/log-world.ts';
import { run } from '../../support/running/command-line.ts';

const serving = (policy: string) => ({ fetch: async () => new Response(policy), terminal: true });
const POLICY = policyOf([logWorld()]);

it.each<[string, string]>([
  ['text of any kind', 'log \u001b]0;pwned\u0007\u001b[2J\u009b31m\n'],
  ['a policy with an escape sequence', `# \u001b]0;pwned\u0007\n${POLICY}`],
  ['a policy that was cut off', POLICY.slice(0, -1)],
  ['nothing', ''],
])('assay log key refuses %s, and prints none of it', async (_, policy) => {
  expect(await run(['log key', 'http://assay.test'], serving(policy))).toEqual({
    code: 5,
    out: '',
    notes: expect.stringMatching(
      /^assay: the service at http:\/\/assay.test has no policy that can be read \(line \d\)\n$/,
    ),
  });
});

it('assay log key prints a policy, on a terminal with its format characters escaped', async () => {
  const told = await run(['log key', 'http://assay.test'], serving(`# \u009b31m\u202e\n${POLICY}`));
  expect(told).toEqual({ code: 0, out: `# \\u009b31m\\u202e\n${POLICY}`, notes: '' });
});
