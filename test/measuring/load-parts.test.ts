import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createAllowance } from '../../lab/load/allowances.ts';
import { type Answer, openConnection } from '../../lab/load/connection.ts';
import { createHistogram } from '../../lab/load/histogram.ts';

describe('a histogram', () => {
  it.each<[why: string, times: readonly number[], share: number, expected: number]>([
    ['nothing was added', [], 0.5, 0],
    ['one time is every quantile', [700], 0.99, 700],
    ['the lower of two is the median', [10, 20], 0.5, 10],
    ['small times are exact', Array.from({ length: 20 }, (_, n) => n), 0.95, 18],
    ['a tail of one in a hundred is not yet the 99th', [...Array(99).fill(5), 9_000], 0.99, 5],
    ['one more is', [...Array(98).fill(5), 9_000, 9_000], 0.99, 9_000],
    ['nothing is ever above the largest', [1_000_003], 0.5, 1_000_003],
  ])('%s', (_, times, share, expected) => {
    const histogram = createHistogram();
    for (const time of times) histogram.add(time);
    expect(histogram.quantile(share)).toBe(expected);
  });

  it('is at most one part in 32 too high, and never too low', () => {
    for (const time of [33, 100, 1_023, 1_024, 4_097, 65_535, 1_234_567, 59_000_000]) {
      const histogram = createHistogram();
      histogram.add(time);
      histogram.add(4_000_000_000);
      const found = histogram.quantile(0.5);
      expect(found).toBeGreaterThanOrEqual(time);
      expect(found).toBeLessThanOrEqual(time * (1 + 1 / 32));
    }
  });

  it('merges', () => {
    const [one, two] = [createHistogram(), createHistogram()];
    one.add(5);
    two.add(7);
    two.add(9);
    one.merge(two);
    expect([one.count(), one.max(), one.quantile(0.5)]).toEqual([3, 9, 7]);
  });
});

describe('an allowance of two', () => {
  const asked = (grants: readonly boolean[]) => {
    const numbers = { last: 40 };
    const allowance = createAllowance(2, () => ++numbers.last);
    for (const granted of grants) allowance.answered(allowance.next(), granted);
    return allowance.report();
  };

  it.each<[why: string, grants: boolean[], callers: number, wrong: number]>([
    ['two are granted and the third is refused', [true, true, false], 1, 0],
    ['whoever is refused may be any of them', [false, true, true], 1, 0],
    ['three are granted', [true, true, true], 1, 1],
    ['one is granted', [true, false, false], 1, 1],
    ['a caller who is not through yet says nothing', [true, true, false, true, true], 1, 0],
  ])('%s', (_, grants, callers, wrong) => {
    expect(asked(grants)).toMatchObject({ callers, wrong });
  });

  it('names the caller', () => {
    expect(asked([true, true, true]).examples).toEqual(['caller 41: 3 of 2 granted']);
  });

  it('says nothing of a caller who lost an answer', () => {
    const allowance = createAllowance(1, () => 1);
    allowance.lost(allowance.next());
    allowance.answered(allowance.next(), false);
    expect(allowance.report()).toEqual({ callers: 0, wrong: 0, examples: [] });
  });
});

describe('a connection', () => {
  /** What comes of pieces that a server sends one after another. */
  async function heard(pieces: readonly string[], wantsBody = true): Promise<Answer | null> {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', async () => {
        for (const piece of pieces) {
          socket.write(piece);
          await new Promise((done) => setTimeout(done, 5));
        }
        socket.end();
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    // A server that listens on TCP answers with an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const connection = openConnection(port);
    const answer = await new Promise<Answer | null>((done) =>
      connection.ask('GET / HTTP/1.1\r\n\r\n', wantsBody, done),
    );
    connection.close();
    server.close();
    return answer;
  }

  it.each<[why: string, pieces: string[], status: number | undefined]>([
    ['with a length', ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'], 200],
    ['in pieces, also of the head', ['HTTP/1.1 40', '2 X\r\nContent-Length: 4\r\n\r', '\nab', 'cd'], 402],
    ['without a body', ['HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n'], 304],
    ['in chunks', ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n', '0\r\n\r\n'], 200],
    ['that breaks off', ['HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok'], undefined],
  ])('hears an answer %s', async (_, pieces, status) => {
    expect((await heard(pieces))?.status).toBe(status);
  });

  it('keeps the body only for whoever wants it', async () => {
    const pieces = ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'];
    expect((await heard(pieces))?.body).toMatch(/ok$/);
    expect((await heard(pieces, false))?.body).toBe('');
  });
});
