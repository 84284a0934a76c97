import { describe, expect, it } from 'vitest';
import { checkOf, useService } from '../support/asking.ts';
import type { Received } from '../support/running/running-service.ts';

/** The n-th /64 of one /48. */
const inside = (n: number, wide = '2001:db8:77') => `${wide}:${n.toString(16)}::1`;
const countOf = (answers: readonly Received[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('one caller with a whole IPv6 /48 (G102)', () => {
  const service = useService({
    settings: {
      FREE_LOOKUPS_PER_ADDRESS: '3',
      FREE_CHECKS_PER_ADDRESS: '2',
      DRY_RUNS_PER_ADDRESS: '2',
      PRICED_PROBES_PER_HOUR: '1',
      PROBES_PER_HOST_MINUTE: '1000',
    },
  });
  const fromEach = async (count: number, path: (n: number) => string) => {
    const answers: Received[] = [];
    for (let n = 0; n < count; n += 1) answers.push(await service.ask(path(n), { from: inside(n) }));
    return answers;
  };

  it.each([
    ['lookups', 30, 402, () => '/v1/lookup?task=weather'],
    ['live checks', 20, 402, (n: number) => checkOf(`http://live-${n}.example/honest`)],
    ['dry runs', 20, 429, (n: number) => checkOf(`http://dry-${n}.example/honest`, { mode: 'dry-run' })],
  ])('gets ten times the free %s of one address', async (_, most, refused, path) => {
    const answers = await fromEach(most + 5, path);
    expect([countOf(answers, 200), countOf(answers, refused)]).toEqual([most, 5]);
    expect((await service.ask(path(99), { from: inside(1, '2001:db8:78') })).status).toBe(200);
  });

  it('gets ten times the unpaid quotes of one address', async () => {
    // The test above has left no free check to this network.
    const answers = await fromEach(15, (n) => checkOf(`http://quote-${n}.example/honest`));
    expect(countOf(answers, 429)).toBeGreaterThanOrEqual(5);
    expect(answers.at(-1)?.json.code).toBe('quote_limit');
  });
});
