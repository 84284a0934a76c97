import { describe, expect, it } from 'vitest';
import { noteKeyText } from '../../../src/core/log/note.ts';
import { isSignedView } from '../../../src/core/vantage/messages.ts';
import { target } from '../../../tools/samples/listed.ts';
import { answering } from '../../support/probing/probing.ts';
import {
  client,
  liar,
  observationOf,
  REQUEST,
  VANTAGE,
  vantage,
} from '../../support/vantage/asking-vantages.ts';

describe('vantages over HTTP', () => {
  it('are asked together, and their views come in the order of the configuration', async () => {
    const held: (() => void)[] = [];
    const slow = await vantage('slow', {
      seller: (socket, request) => held.push(() => answering(402)(socket, request)),
    });
    const quick = await vantage('quick', { seller: answering(200) });
    const { port, outcomes } = client([slow.listed, quick.listed]);
    expect([port.needed, port.fromPrice]).toEqual([2, 100_000n]);
    const asked = port.ask(REQUEST);
    await expect.poll(() => [held.length, outcomes.length]).toEqual([1, 1]);
    for (const go of held) go();
    const views = await asked;
    expect(views.map(({ vantage: key }) => key)).toEqual(
      [slow, quick].map(({ signer }) => noteKeyText(signer.key)),
    );
    expect(views).toMatchObject([{ seen: { status: 402 } }, { seen: { status: 200 } }]);
    expect(views.every(isSignedView)).toBe(true);
    expect(new Set(views.map(({ request }) => request)).size).toBe(2);
    expect(outcomes.toSorted()).toEqual([
      ['quick', 'ok', true],
      ['slow', 'ok', true],
    ]);
  });

  it('get the URL, the method and the input of the check, each once', async () => {
    const one = await vantage('one');
    const { port } = client([one.listed]);
    await port.ask({
      target: target('http://shop.example.net/a%20b?q=%22'),
      method: 'POST',
      body: '{"é":1}',
    });
    expect(one.requests).toHaveLength(1);
    expect(one.requests[0]).toMatch(/^POST \/a%20b\?q=%22 HTTP\/1\.1\r\n/);
    expect(
      Buffer.from(one.requests[0] ?? '', 'latin1')
        .toString()
        .endsWith('{"é":1}'),
    ).toBe(true);
  });

  it('sign what they saw when there was nothing to see', async () => {
    const one = await vantage('one');
    const { port } = client([one.listed]);
    const views = await port.ask({ target: target('http://10.0.0.1/'), method: 'GET' });
    expect(views).toMatchObject([{ seen: { kind: 'blocked' } }]);
    expect(one.requests).toEqual([]);
  });

  it('are not asked about input that is too long for them', async () => {
    const one = await vantage('one');
    const { port, outcomes } = client([one.listed]);
    const body = JSON.stringify({ q: 'x'.repeat(4_096) });
    expect(await port.ask({ target: REQUEST.target, method: 'POST', body })).toEqual([]);
    expect(outcomes).toEqual([['one', 'unaskable', false]]);
  });

  it('are absent when they do not know us', async () => {
    const one = await vantage('one', { clients: [VANTAGE.key] });
    const two = await vantage('two');
    const { port, outcomes } = client([one.listed, two.listed]);
    expect(await port.ask(REQUEST)).toHaveLength(1);
    expect(outcomes.toSorted()).toEqual([
      ['one', 'refused', true],
      ['two', 'ok', true],
    ]);
    expect(one.requests).toEqual([]);
  });

  it('are absent when they are somebody else', async () => {
    const one = await vantage('one');
    const { port, last } = client([{ ...one.listed, key: VANTAGE.key }]);
    expect(await port.ask(REQUEST)).toEqual([]);
    // It refuses, because the request is for another name.
    expect(last()).toBe('refused');
  });
});

describe('asking stops', () => {
  it('when it is aborted, and says nothing about the vantage', async () => {
    const { listed, asked } = await liar(() => {});
    const { port, outcomes, changed } = client([listed]);
    for (let n = 0; n < 6; n += 1) {
      const abort = new AbortController();
      const views = port.ask(REQUEST, abort.signal);
      await expect.poll(() => asked.length).toBe(n + 1);
      abort.abort();
      expect(await views).toEqual([]);
    }
    expect(outcomes).toEqual(Array.from({ length: 6 }, () => ['liar', 'aborted', true]));
    expect(changed).toEqual([]);
  });

  it('before it began', async () => {
    const { listed, asked } = await liar(() => {});
    const { port, outcomes } = client([listed]);
    expect(await port.ask(REQUEST, AbortSignal.abort())).toEqual([]);
    expect([outcomes, asked]).toEqual([[['liar', 'aborted', false]], []]);
  });

  it('for a while after five failures, and goes on after an answer', async () => {
    const state = { isBroken: true, ms: 0 };
    const { listed, asked } = await liar((note, response) => {
      if (state.isBroken) response.writeHead(500).end();
      else response.end(observationOf(note));
    });
    const { port, outcomes, changed } = client([listed], { stopwatch: () => state.ms });
    for (let n = 0; n < 7; n += 1) await port.ask(REQUEST);
    expect(outcomes.map(([, outcome]) => outcome)).toEqual([
      ...['broken', 'broken', 'broken', 'broken', 'broken', 'paused', 'paused'],
    ]);
    expect([asked.length, changed]).toEqual([5, [['liar', false, 'broken']]]);
    Object.assign(state, { isBroken: false, ms: 1_000 });
    expect(await port.ask(REQUEST)).toHaveLength(1);
    expect(changed.at(-1)).toEqual(['liar', true, 'ok']);
  });

  it('at 64 requests under way', async () => {
    const held: (() => void)[] = [];
    const { listed } = await liar((note, response) => held.push(() => response.end(observationOf(note))));
    const { port, outcomes } = client([listed]);
    const under = Array.from({ length: 64 }, () => port.ask(REQUEST));
    await expect.poll(() => held.length).toBe(64);
    expect(await port.ask(REQUEST)).toEqual([]);
    expect(outcomes).toEqual([['liar', 'busy', false]]);
    for (const go of held) go();
    expect((await Promise.all(under)).flat()).toHaveLength(64);
  });
});
