import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { certificate, httpAnswer } from '../../../test/support/probing/fake-seller.ts';
import { holdTimers } from '../../../test/support/probing/held-timers.ts';
import { IMPATIENT_MS, PUBLIC_ADDRESS, TERMS, USER_AGENT } from '../../../test/support/probing/probing.ts';
import { allClosed, at, bodyOf, echoing, HOST, visiting } from '../../../test/support/running/visiting.ts';
import { target } from '../../../tools/samples/listed.ts';
import { NO_OPT_OUTS } from '../../core/url/opt-outs.ts';
import type { ProberParts } from './create-prober.ts';

describe('connections to a host that is open', () => {
  it('serve one request after the other, and say so', async () => {
    const { ask, perConnection, requests, asked } = await visiting(echoing);
    for (const path of ['/1', '/2', '/3']) expect(bodyOf(await ask(at(path)))).toBe(`"${path}"`);
    expect([perConnection(), asked]).toEqual([[3], [HOST]]);
    expect(requests[1]).toBe(
      [
        'GET /2 HTTP/1.1',
        `host: ${HOST}`,
        'connection: keep-alive',
        `user-agent: ${USER_AGENT}`,
        'accept: application/json, */*;q=0.1',
        'accept-encoding: identity',
        '',
        '',
      ].join('\r\n'),
    );
  });

  it('are as many as requests at a time, and no request waits behind another', async () => {
    const waiting: (() => void)[] = [];
    const { ask, perConnection, asked } = await visiting((socket, path) => {
      waiting.push(() => echoing(socket, path));
      if (waiting.length === 3) for (const answer of waiting.splice(0)) answer();
    });
    for (let round = 0; round < 4; round += 1) {
      const paths = [1, 2, 3].map((n) => `/${round}/${n}`);
      const outcomes = await Promise.all(paths.map((path) => ask(at(path))));
      expect(outcomes.map(bodyOf)).toEqual(paths.map((path) => `"${path}"`));
    }
    expect([perConnection(), asked]).toEqual([[4, 4, 4], [HOST]]);
  });

  it('are verified and kept with TLS, too', async () => {
    const { ask, perConnection } = await visiting(echoing, { authorities: [certificate('ca')] }, 'seller');
    for (const path of ['/1', '/2']) expect(bodyOf(await ask(`https://${HOST}${path}`))).toBe(`"${path}"`);
    expect(perConnection()).toEqual([2]);
  });

  it('end when the host is closed, and nothing is probed any more', async () => {
    const { ask, host, connections } = await visiting(echoing);
    await Promise.all(['/1', '/2', '/3'].map((path) => ask(at(path))));
    expect(connections.size).toBe(3);
    host.close();
    expect(await allClosed(connections.keys())).toBe(true);
    await expect(ask(at('/4'))).rejects.toThrow('the host is closed');
  });

  it('end when the host is closed in the middle of an answer', async () => {
    const { ask, host, connections } = await visiting(() => host.close());
    expect((await ask(at('/1'))).kind).not.toBe('answered');
    expect(await allClosed(connections.keys())).toBe(true);
  });

  it('are not begun any more when the host is closed while one is dialled', async () => {
    const late = { close: () => {} };
    const world = await visiting(echoing);
    const { host, ask, requests } = await visiting(echoing, {
      async dial(request) {
        late.close();
        return world.parts.dial(request);
      },
    });
    late.close = host.close;
    expect((await ask(at('/1'))).kind).not.toBe('answered');
    expect(requests).toEqual([]);
  });

  it('are to this host only', async () => {
    const { host, dialled } = await visiting(echoing);
    const stranger = { target: target('http://other.example.net/'), method: 'GET' } as const;
    await expect(host.probe(stranger)).rejects.toThrow('a target of another host');
    expect(dialled).toEqual([]);
  });
});

describe('a connection that the seller has closed meanwhile', () => {
  it('is replaced before anything is sent', async () => {
    const { ask, requests, connections, perConnection } = await visiting((socket, path) => {
      socket.end(httpAnswer(402, [TERMS], `"${path}"`));
    });
    for (const path of ['/1', '/2']) {
      expect(bodyOf(await ask(at(path)))).toBe(`"${path}"`);
      expect(await allClosed(connections.keys())).toBe(true);
    }
    expect([requests.length, perConnection()]).toEqual([2, [1, 1]]);
  });

  it('is replaced once when it crosses with a request, which is the same request', async () => {
    const { ask, perConnection } = await visiting((socket, path, nth) => {
      if (nth === 1) echoing(socket, path);
      else socket.resetAndDestroy();
    });
    expect(bodyOf(await ask(at('/1')))).toBe('"/1"');
    expect(bodyOf(await ask(at('/2'), 'POST'))).toBe('"/2"');
    expect(perConnection()).toEqual([2, 1]);
  });

  it('is not replaced a second time', async () => {
    const { ask, perConnection, connections } = await visiting((socket, path) => {
      if (connections.size === 1 && path === '/1') echoing(socket, path);
      else socket.resetAndDestroy();
    });
    await ask(at('/1'));
    expect(await ask(at('/2'))).toEqual({ kind: 'unreachable', cause: 'connection_failed' });
    expect(perConnection()).toEqual([2, 1]);
  });

  it('is not replaced when its answer had begun', async () => {
    const { ask, perConnection } = await visiting((socket, path, nth) => {
      if (nth === 1) echoing(socket, path);
      else socket.write('HTTP/1.1 402 An', () => setTimeout(() => socket.resetAndDestroy(), 20));
    });
    await ask(at('/1'));
    expect(await ask(at('/2'))).toEqual({ kind: 'unreachable', cause: 'connection_failed' });
    expect(perConnection()).toEqual([2]);
  });

  it('does not get more time than the probe has', async () => {
    const { pass } = holdTimers();
    const { ask, perConnection } = await visiting(
      (socket, path, nth) => {
        if (path === '/1') {
          echoing(socket, path);
          return;
        }
        // Twice two seconds are more than one deadline; a whole new one would not be over.
        pass(2_000);
        if (nth === 2) socket.resetAndDestroy();
      },
      { timeoutMs: 3_000 },
    );
    await ask(at('/1'));
    expect(await ask(at('/2'))).toEqual({ kind: 'timed_out' });
    expect(perConnection()).toEqual([2, 1]);
  });
});

describe('the name of a host that is open', () => {
  const hopping = (socket: Socket) => socket.write(httpAnswer(307, [['Location', `https://${HOST}/there`]]));

  it('is asked once: a resolver that changes its mind is not heard', async () => {
    let questions = 0;
    const resolve: ProberParts['resolve'] = async () => {
      questions += 1;
      return { kind: 'addresses', addresses: [questions === 1 ? PUBLIC_ADDRESS : '127.0.0.1'] };
    };
    const { ask, dialled } = await visiting((socket) => socket.end(httpAnswer(402, [])), { resolve });
    await Promise.all(['/1', '/2', '/3'].map((path) => ask(at(path))));
    expect(await ask(at('/4'))).toMatchObject({ kind: 'answered' });
    expect([questions, new Set(dialled)]).toEqual([1, new Set([PUBLIC_ADDRESS])]);
  });

  it('is not asked again when it does not exist, and is when the look-up failed', async () => {
    const answers = ['failed', 'not_found', 'failed'] as const;
    let questions = 0;
    const resolve: ProberParts['resolve'] = async () => ({ kind: answers[questions++] ?? 'failed' });
    const { ask, dialled } = await visiting(echoing, { resolve });
    const causes = [];
    for (const path of ['/1', '/2', '/3']) causes.push(await ask(at(path)));
    expect(causes.map((outcome) => ('cause' in outcome ? outcome.cause : outcome.kind))).toEqual([
      'name_lookup_failed',
      'name_not_found',
      'name_not_found',
    ]);
    expect([questions, dialled]).toEqual([2, []]);
  });

  it.each<[string, Partial<ProberParts>, object, number]>([
    // The seller speaks no TLS: whoever reused the connection would get an answer.
    ['which are dialled anew for another port', { timeoutMs: IMPATIENT_MS }, { kind: 'timed_out' }, 4],
    [
      'but not to a port that the policy refuses',
      {
        policy: {
          addresses: (_address, port) => (port === 80 ? 'public' : 'loopback'),
          names: () => true,
          ports: () => true,
          ownHosts: new Set(),
          optOuts: NO_OPT_OUTS,
        },
      },
      { kind: 'blocked' },
      1,
    ],
  ])('leads redirects to the same addresses, %s', async (_, changes, expected, dials) => {
    const { ask, perConnection, asked, dialled } = await visiting(hopping, changes);
    for (let time = 0; time < 3; time += 1) expect(await ask(at('/hop'))).toEqual(expected);
    expect([perConnection(), asked]).toEqual([[3], [HOST]]);
    expect(dialled).toEqual(Array.from({ length: dials }, () => PUBLIC_ADDRESS));
  });
});
