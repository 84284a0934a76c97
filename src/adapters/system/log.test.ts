import { METHODS } from 'node:http';
import { describe, expect, it } from 'vitest';
import { requestText } from './log.ts';

const LINE = {
  id: 'f3c1a2b4d5e6-1k',
  trace: undefined,
  method: 'GET',
  route: '/v1/lookup',
  tier: undefined,
  verdict: undefined,
  reason: undefined,
  code: undefined,
  status: 200,
  ms: 0.4,
};

describe('the line of a request', () => {
  it('is JSON as the rest of the log, without what is not known', () => {
    const text = requestText(LINE, '1794744000000');
    expect(text.endsWith('}\n')).toBe(true);
    expect(JSON.parse(text)).toEqual({
      level: 30,
      time: 1_794_744_000_000,
      id: 'f3c1a2b4d5e6-1k',
      method: 'GET',
      route: '/v1/lookup',
      status: 200,
      ms: 0.4,
      msg: 'request',
    });
  });

  it('has tier, verdict, reason and code where they apply', () => {
    const facts = {
      trace: '0af7651916cd43dd8448eb211c80319c',
      tier: 'free',
      verdict: 'skip',
      reason: 'no_paywall',
      code: 'x',
    };
    expect(JSON.parse(requestText({ ...LINE, ...facts }, '0'))).toMatchObject(facts);
  });

  it.each([
    [0, 0],
    [0.04, 0],
    [0.36, 0.4],
    [1, 1],
    [49.94, 49.9],
    [49.96, 50],
    [12_345.62, 12_345.6],
  ])('says %d ms as %d', (taken, ms) => {
    expect(JSON.parse(requestText({ ...LINE, ms: taken }, '0'))).toMatchObject({ ms });
  });

  it('stays JSON with every method that can arrive', () => {
    for (const method of METHODS)
      expect(JSON.parse(requestText({ ...LINE, method }, '0'))).toMatchObject({ method });
  });
});
