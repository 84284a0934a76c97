import { describe, expect, it } from 'vitest';
import { listedInput, target } from '../../../tools/samples/listed.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import type { ListedInput } from './listed-input.ts';
import { type FirstStep, firstRequest, secondRequest } from './probe-plan.ts';

const URL = 'https://a.example/x';
const EXAMPLE = listedInput({
  example: {
    query: [
      ['q', 'a b&c'],
      ['n', '\ud800'],
    ],
    body: '{"q":1}',
  },
});
const QUERY = listedInput({ example: { query: [['q', '1']], body: null } });
const BODY = listedInput({ example: { query: [], body: '{"q":1}' } });
const BUILT = listedInput({ built: { query: [['q', 'example']], body: null } });

interface Asked {
  readonly url?: string;
  readonly method?: ProbeMethod;
  readonly input?: ListedInput | null;
  readonly caller?: string;
  readonly status?: number;
  readonly allow?: readonly ProbeMethod[];
  readonly mayChangeMethod?: boolean;
}

function first({ url = URL, method = 'GET', input = null }: Asked): FirstStep {
  return firstRequest({ target: target(url), method, input });
}

function second(asked: Asked) {
  const step = first(asked);
  if (step.kind !== 'request') throw new Error('nothing is sent to a template without values');
  const { status = 400, allow = null, input = null, caller = null, mayChangeMethod = true } = asked;
  return secondRequest(
    step,
    { status, refusal: { allow, missing: [] } },
    { caller, listed: input, mayChangeMethod },
  );
}

describe('first', () => {
  it.each<[string, Asked, object]>([
    ['the bare URL', { url: `${URL}?y=1` }, { kind: 'request', method: 'GET', body: null, source: null }],
    ['an empty object with POST', { method: 'POST' }, { method: 'POST', body: '{}', source: null }],
    ['nothing of the example', { input: EXAMPLE }, { target: { href: URL }, body: null }],
    ['nothing to a path template', { url: 'https://a.example/users/:id' }, { kind: 'path_template' }],
    ['the bare URL when only the query has braces', { url: `${URL}?q={id}` }, { kind: 'request' }],
    [
      "a path template with the listing's values",
      { url: 'https://a.example/users/:id/x', input: listedInput({ path: [['id', '7']] }) },
      { kind: 'request', target: { href: 'https://a.example/users/7/x' }, source: 'listing_example' },
    ],
    [
      'nothing when one value is missing',
      { url: 'https://a.example/:a/:b', input: listedInput({ path: [['a', '7']] }) },
      { kind: 'path_template' },
    ],
  ])('%s', (_, asked, step) => {
    expect(first(asked)).toMatchObject(step);
  });
});

describe('then', () => {
  it.each<[string, Asked, object]>([
    ['the example query', { input: EXAMPLE, method: 'GET', mayChangeMethod: false }, { body: null }],
    [
      'appended to a query that is there',
      { url: `${URL}?z=1`, input: QUERY },
      { target: { pathAndQuery: '/x?z=1&q=1' }, source: 'listing_example' },
    ],
    ['the example body', { method: 'POST', input: BODY, status: 422 }, { method: 'POST', body: '{"q":1}' }],
    [
      'the query of a POST',
      { method: 'POST', input: QUERY },
      { target: { pathAndQuery: '/x?q=1' }, body: '{}' },
    ],
    [
      'what the schema asks for',
      { input: BUILT },
      { target: { pathAndQuery: '/x?q=example' }, source: 'listing_schema' },
    ],
    [
      'the example before what the schema asks for',
      { input: { ...QUERY, built: BUILT.built } },
      { target: { pathAndQuery: '/x?q=1' }, source: 'listing_example' },
    ],
    [
      "the caller's input before all others",
      { method: 'POST', input: BODY, caller: '{"city":"Bern"}' },
      { body: '{"city":"Bern"}', source: 'caller' },
    ],
    ['a body by POST where the listing says GET', { input: BODY }, { method: 'POST', body: '{"q":1}' }],
    [
      'the method that the description of the input names',
      { method: 'POST', input: listedInput({ method: 'GET', example: QUERY.example }) },
      { method: 'GET', target: { pathAndQuery: '/x?q=1' }, body: null },
    ],
    ['after a 404, when the listing has parameters', { status: 404, input: QUERY }, { kind: 'request' }],
    [
      'the other method after a 405',
      { status: 405, allow: ['POST'], input: BODY },
      { method: 'POST', body: '{"q":1}' },
    ],
    [
      'an empty object when the listing names the other method and no input',
      { status: 405, allow: ['POST'], input: listedInput({ method: 'POST' }) },
      { method: 'POST', body: '{}', source: null },
    ],
    [
      'a body of 1,024 bytes',
      { method: 'POST', input: listedInput({ example: { query: [], body: `"${'x'.repeat(1_022)}"` } }) },
      { method: 'POST' },
    ],
  ])('%s', (_, asked, step) => {
    expect(second(asked)).toMatchObject(step);
  });

  it('encodes the values of the example', () => {
    const sent = second({ input: EXAMPLE, mayChangeMethod: false });
    expect(sent?.target.pathAndQuery).toBe('/x?q=a+b%26c&n=%EF%BF%BD');
  });

  it.each([200, 204, 301, 402, 401, 403, 406, 407, 409, 410, 418, 429, 451, 500, 503])(
    'nothing after a %i',
    (status) => {
      expect(second({ status, method: 'POST', input: EXAMPLE, caller: '{"a":1}' })).toBeNull();
    },
  );

  it.each<[string, Asked]>([
    ['without any input', {}],
    [
      'after a 404, when the listing has no parameters',
      { status: 404, input: listedInput({ method: 'POST' }) },
    ],
    ['after a 405 to the only method that is described', { status: 405, input: QUERY }],
    ['after a 405 that does not allow the other method', { status: 405, allow: [], input: BODY }],
    [
      'when the example is what was sent',
      { method: 'POST', input: listedInput({ example: { query: [], body: '{}' } }) },
    ],
    ['with another method than the caller names', { status: 405, input: BODY, mayChangeMethod: false }],
    ['of a body with GET', { input: BODY, mayChangeMethod: false }],
    [
      'when the body is larger than 1,024 bytes (G101)',
      { method: 'POST', input: listedInput({ example: { query: [], body: `"${'ä'.repeat(512)}"` } }) },
    ],
    [
      'when the URL becomes too long',
      { input: listedInput({ example: { query: [['q', 'x'.repeat(3_000)]], body: null } }) },
    ],
  ])('nothing %s', (_, asked) => {
    expect(second(asked)).toBeNull();
  });
});
