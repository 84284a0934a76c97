import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { VantageOutcome } from '../../../src/adapters/vantage/ask-vantage.ts';
import { seededSigner } from '../../support/log/seeded-signer.ts';
import { client, closeAll, liar, observationOf, REQUEST } from '../../support/vantage/asking-vantages.ts';

describe('a vantage that misbehaves is a view less', () => {
  const hour = 3_600_000;
  it.each<[string, VantageOutcome, (note: string, response: ServerResponse) => void]>([
    ['answers nothing', 'forged', (_, response) => response.end()],
    ['answers something else', 'forged', (_, response) => response.end('{"seen":{"kind":"answered"}}')],
    ['sends the request back', 'forged', (note, response) => response.end(note)],
    [
      'signs with another key',
      'forged',
      (note, response) =>
        response.end(observationOf(note, {}, seededSigner('vantage.example/v1', 1, 'of another'))),
    ],
    [
      'signs with the key of another name',
      'forged',
      (note, response) => response.end(observationOf(note, {}, seededSigner('other.example/v1'))),
    ],
    [
      'answers another request',
      'forged',
      (note, response) => response.end(observationOf(note, { request: 'ab'.repeat(32) })),
    ],
    [
      'changes its words after signing them',
      'forged',
      (note, response) => response.end(observationOf(note).replace('timed_out', 'blocked')),
    ],
    [
      'has a clock that is behind',
      'stale',
      (note, response) => response.end(observationOf(note, { at: new Date(Date.now() - hour) })),
    ],
    [
      'has a clock that is ahead',
      'stale',
      (note, response) => response.end(observationOf(note, { at: new Date(Date.now() + hour) })),
    ],
    ['answers more than is read', 'too_large', (_, response) => response.end('x'.repeat(131_073))],
    ['is at its limit', 'limited', (_, response) => response.writeHead(429).end()],
    ['says that the observation is too long', 'limited', (_, response) => response.writeHead(413).end()],
    ['refuses', 'refused', (_, response) => response.writeHead(403).end('x'.repeat(1_000_000))],
    ['is broken', 'broken', (_, response) => response.writeHead(502).end()],
    ['has no content', 'refused', (_, response) => response.writeHead(204).end()],
    ['breaks off', 'unreachable', (_, response) => response.destroy()],
    [
      'breaks off in its answer',
      'unreachable',
      (_, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('assay', () => response.destroy());
      },
    ],
  ])('when it %s', async (_, outcome, answer) => {
    const { listed, asked } = await liar(answer);
    const { port, last } = client([listed]);
    expect(await port.ask(REQUEST)).toEqual([]);
    expect([last(), asked]).toEqual([outcome, ['/observe']]);
  });

  it('when it replays a good answer to an earlier request', async () => {
    const first: string[] = [];
    const { listed } = await liar((note, response) => {
      first.push(observationOf(note));
      response.end(first[0]);
    });
    const { port, last } = client([listed]);
    expect(await port.ask(REQUEST)).toHaveLength(1);
    expect(await port.ask(REQUEST)).toEqual([]);
    expect(last()).toBe('forged');
  });

  it('when it leads elsewhere: nobody goes there', async () => {
    const elsewhere = await liar((note, response) => response.end(observationOf(note)));
    const { listed } = await liar((_, response) =>
      response.writeHead(307, { location: `${elsewhere.listed.url}observe` }).end(),
    );
    const { port, last } = client([listed]);
    expect(await port.ask(REQUEST)).toEqual([]);
    expect([last(), elsewhere.asked]).toEqual(['refused', []]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['never answers', () => {}],
    ['never ends its answer', (response) => response.writeHead(200).write('assay')],
  ])('when it %s', async (_, answer) => {
    const { listed } = await liar((_note, response) => answer(response));
    const { port, last } = client([listed], { timeoutMs: 100 });
    expect(await port.ask(REQUEST)).toEqual([]);
    expect(last()).toBe('late');
  });

  it('when nobody is there', async () => {
    const { listed } = await liar(() => {});
    await closeAll();
    const { port, last } = client([listed]);
    expect(await port.ask(REQUEST)).toEqual([]);
    expect(last()).toBe('unreachable');
  });
});
