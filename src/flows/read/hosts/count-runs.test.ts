import { expect, it } from 'vitest';
import { aRun } from '../../../../tools/samples/crawl-rows.ts';
import { afterNoon } from '../../../../tools/samples/store-receipts.ts';
import { countRuns } from './count-runs.ts';

it('counts the run that is shown even if no row names a payee, and none after it', async () => {
  const countable = [
    { id: 'newer', crawledAt: afterNoon(3) },
    { id: 'older', crawledAt: afterNoon(1) },
  ];
  const counts = await countRuns(
    { by: 'host', value: 'a.example' },
    { ...aRun('shown'), crawledAt: afterNoon(2) },
    {
      countableRuns: async () => countable,
      countPart: async (runId) => ({ pay: 0, skip: runId === 'shown' ? 2 : 1, recheck: 0, needsInput: 0 }),
    },
  );
  expect(counts.map(({ runId, endpoints }) => [runId, endpoints])).toEqual([
    ['shown', 2],
    ['older', 1],
  ]);
});
