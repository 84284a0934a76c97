import { describe, expect, it } from 'vitest';
import { LogAway, logFilesAt } from './log-files.ts';

function filesOf(...answers: readonly (() => Response)[]) {
  const waits: number[] = [];
  let asked = 0;
  const files = logFilesAt('http://assay.test', 5, {
    fetch: async () => (answers[Math.min(asked++, answers.length - 1)] ?? answers[0] ?? Response.error)(),
    stop: new AbortController().signal,
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
  return { files, waits };
}
const busy = (seconds?: string) => () =>
  new Response('', {
    status: 429,
    ...(seconds === undefined ? {} : { headers: { 'retry-after': seconds } }),
  });

describe('a file of a log', () => {
  it('is asked for again when the service is busy, as late as it says and never much later', async () => {
    const { files, waits } = filesOf(busy('7'), busy(), busy('99999'), () => new Response('here'));
    expect(Buffer.from((await files.get('x', 10)) ?? '').toString()).toBe('here');
    expect(waits).toEqual([7_000, 1_000, 61_000]);
  });

  it('that changes comes from the service, not from a cache on the way', async () => {
    const asked: (string | null)[] = [];
    const files = logFilesAt('http://assay.test', 5, {
      fetch: async (_, init) => {
        asked.push(new Headers(init?.headers).get('cache-control'));
        return new Response('');
      },
      stop: new AbortController().signal,
      wait: async () => undefined,
    });
    for (const path of ['policy', '2/checkpoint', 'statements/0', 'tile/0/000', 'run/a/tile/entries/000'])
      await files.get(path, 10);
    expect(asked).toEqual(['no-cache', 'no-cache', 'no-cache', null, null]);
  });

  it('is given up after a few tries', async () => {
    const { files, waits } = filesOf(busy('1'));
    await expect(files.get('x', 10)).rejects.toThrow(LogAway);
    expect(waits).toHaveLength(4);
  });

  it('is cut one byte behind its limit, so that its length shows that it is wrong', async () => {
    const { files } = filesOf(() => new Response('x'.repeat(1_000)));
    expect(await files.get('x', 10)).toHaveLength(11);
  });

  it.each<[number, boolean]>([
    [404, true],
    [410, true],
    [302, false],
    [500, false],
    [403, false],
  ])('with status %i proves something: %s', async (status, isMissing) => {
    const { files } = filesOf(() => new Response('', { status }));
    if (isMissing) expect(await files.get('x', 10)).toBeNull();
    else await expect(files.get('x', 10)).rejects.toThrow(LogAway);
  });
});
