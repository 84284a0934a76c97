import fc from 'fast-check';
import { TOOLS } from '../../../src/mcp/tools.ts';
import { hostileText, hostileUrl } from './hostile-input.ts';
import { deep, members, mostly, seldom, textOf, value } from './hostile-json.ts';

const ENVELOPE = 'io.modelcontextprotocol/';
const MODERN = '2026-07-28';

const METHODS = [
  ...['tools/list', 'tools/call', 'prompts/list', 'prompts/get', 'completion/complete', 'server/discover'],
  ...['resources/list', 'resources/read', 'resources/templates/list', 'initialize', 'ping'],
];
const ODD_METHODS = [
  ...['subscriptions/listen', 'logging/setLevel', 'tasks/get', 'notifications/cancelled', 'TOOLS/CALL'],
  ...['notifications/initialized', 'sampling/createMessage', '__proto__', 'constructor', 'toString'],
];
const TOOL_NAMES = TOOLS.map(({ name }) => name);

const id = mostly(
  fc.oneof(fc.nat(9), hostileText),
  12,
  fc.oneof(fc.constantFrom(undefined, null, -1, 1.5, 1e21, 1e308, 2 ** 53, true, [], {}), value),
);

/** Payments that have the outline of one, and nothing that anybody has signed. */
const payment: fc.Arbitrary<unknown> = fc.oneof(
  mostly(value, 20, deep),
  members(['x402Version', 'accepted', 'payload', 'scheme', 'network', 'extensions', '__proto__'], value).map(
    (document) => Buffer.from(JSON.stringify({ x402Version: 2, ...document })).toString('base64'),
  ),
  members(['signature', 'authorization', '__proto__'], value).map((payload) => ({ x402Version: 2, payload })),
);

const capabilities = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom({}, { extensions: { 'org.x402/payment': {} } }, { elicitation: {} }),
  },
  { weight: 1, arbitrary: members(['extensions', 'sampling', 'roots', '__proto__'], value) },
);

const meta = fc
  .tuple(
    seldom(members(['progressToken', `${ENVELOPE}related-task`, '__proto__'], value), 6),
    seldom(payment, 2),
    seldom(mostly(fc.constantFrom(MODERN, '2025-11-25'), 2)),
  )
  .map(([others, paid, version]) => ({
    ...Object(others),
    'x402/payment': paid,
    [`${ENVELOPE}protocolVersion`]: version,
  }));

const RECEIPTS = 'assay://receipts/';
const uri = fc.constantFrom('assay://tasks', 'assay://skips/summary', `${RECEIPTS}x`, `${RECEIPTS}../tasks`);
const reference = fc.constantFrom(
  { type: 'ref/prompt', name: 'pick_service' },
  { type: 'ref/resource', uri: `${RECEIPTS}{id}` },
  { type: 'ref/other' },
);
const call = fc.constantFrom(...TOOLS).chain(({ name, parameters }) => {
  const known = parameters.map((parameter) => parameter.name);
  const given = members([...known, ...known, '__proto__'], fc.oneof(hostileUrl, hostileText, value), 3);
  return fc.record({ name: mostly(fc.constant(name)), arguments: mostly(given) });
});

/** What each method wants, nearly. */
const PARAMS = new Map<string, fc.Arbitrary<object>>(
  Object.entries({
    'tools/call': call,
    'prompts/get': fc.record({
      name: mostly(fc.constantFrom('check_before_paying', 'pick_service')),
      arguments: mostly(members(['url', 'task', 'max_price', '__proto__'], mostly(hostileText, 5), 3)),
    }),
    'resources/read': fc.record({ uri: mostly(fc.oneof(uri, hostileText), 10) }),
    'completion/complete': fc.record({
      ref: mostly(reference),
      argument: mostly(
        fc.record({
          name: mostly(fc.constantFrom('task', 'id')),
          value: mostly(fc.oneof(fc.constant('w'), hostileText)),
        }),
      ),
    }),
    initialize: fc.record({
      protocolVersion: mostly(fc.constantFrom('2025-11-25', MODERN, '1999-01-01')),
      capabilities: mostly(capabilities),
      clientInfo: mostly(fc.constant({ name: 'a', version: '1' })),
    }),
  }),
);

interface Request {
  readonly method: unknown;
  readonly params: Readonly<Record<string, unknown>>;
}

const request: fc.Arbitrary<Request> = fc
  .constantFrom(...METHODS, ...METHODS, ...ODD_METHODS, ...Array.from({ length: 20 }, () => 'tools/call'))
  .chain((method) =>
    fc.record({
      method: mostly(fc.constant(method), 40),
      params: fc
        .tuple(PARAMS.get(method) ?? fc.constant({}), seldom(meta, 2), seldom(value))
        .map(([wanted, _meta, cursor]) => ({ ...wanted, _meta, cursor })),
    }),
  );

/** Anything between a request and nothing like it. */
const message = mostly(
  fc
    .record({
      jsonrpc: mostly(fc.constant('2.0'), 40),
      id,
      request,
      params: seldom(value),
      others: seldom(members(['result', 'error', 'extra', '__proto__', 'constructor'], value)),
    })
    .map(({ jsonrpc, id: number, request: { method, params }, params: instead, others }) => ({
      jsonrpc,
      id: number,
      method,
      params: instead ?? params,
      ...Object(others),
    })),
);

/** JSON that somebody has cut, doubled or scratched. */
const brokenText: fc.Arbitrary<string> = fc
  .tuple(message, fc.double({ min: 0, max: 1, noNaN: true }), hostileText)
  .chain(([whole, where, scratch]) => {
    const text = textOf(whole);
    const at = Math.floor(where * text.length);
    return fc
      .constantFrom(
        () => text.slice(0, at),
        () => text.slice(at),
        () => text + text,
        () => text.slice(0, at) + scratch + text.slice(at),
        () => `\ufeff${text}`,
        () => `${text},`,
        () => `[${text}`,
        () => '['.repeat(60_000),
        () => '{"id":'.repeat(9_000),
        () => `[${'0,'.repeat(20_000)}0]`,
        () => 'x'.repeat(65_537),
        () => '',
        () => scratch,
      )
      .map((broken) => broken());
  });

/** A header may hold nothing else. */
const asField = (text: unknown) =>
  (typeof text === 'string' ? text : 'x')
    .slice(0, 200)
    .replace(/[^\x20-\x7e]/g, '?')
    .trim();
const fieldValue = fc.oneof(hostileText, fc.constantFrom(...METHODS, ...TOOL_NAMES)).map(asField);

/** The headers that say something about a message; a value may be true, false or nonsense. */
const headers: fc.Arbitrary<Record<string, string>> = fc
  .record({
    'mcp-protocol-version': seldom(
      mostly(fc.constantFrom(MODERN, '2025-11-25', '2024-11-05'), 3, fieldValue),
    ),
    'mcp-method': seldom(mostly(fc.constantFrom('tools/call', 'tools/list'), 3, fieldValue)),
    'mcp-name': seldom(mostly(fc.constantFrom(...TOOL_NAMES), 3, fieldValue)),
    'mcp-session-id': seldom(fieldValue),
    'last-event-id': seldom(fieldValue),
    'payment-signature': seldom(fieldValue),
    'x-payment': seldom(fieldValue),
    accept: seldom(fieldValue),
    origin: seldom(fieldValue),
    'content-type': mostly(
      fc.constantFrom('application/json', 'application/json; charset=utf-8'),
      30,
      fieldValue,
    ),
  })
  .map((fields) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, text]) => (text === undefined ? [] : [[name, String(text)]])),
    ),
  );

/** What is sent to /mcp. */
export interface Posted {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function posted(bodies: fc.Arbitrary<string>): fc.Arbitrary<Posted> {
  return fc.tuple(bodies, headers).map(([body, fields]) => ({ body, headers: fields }));
}

/** The envelope is there and the headers tell the truth, most of the time. */
const modern: fc.Arbitrary<Posted> = fc
  .record({
    id,
    request,
    able: mostly(capabilities, 20, fc.oneof(value, fc.record({ extensions: deep }))),
    noise: seldom(headers, 10),
  })
  .map(({ id: number, request: { method, params }, able, noise }) => {
    const named = params['name'] ?? params['uri'];
    const _meta = {
      ...Object(params['_meta']),
      [`${ENVELOPE}protocolVersion`]: MODERN,
      [`${ENVELOPE}clientCapabilities`]: able,
    };
    return {
      body: textOf({ jsonrpc: '2.0', id: number, method, params: { ...params, _meta } }),
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': MODERN,
        'mcp-method': asField(method),
        ...(typeof named === 'string' ? { 'mcp-name': asField(named) } : {}),
        ...noise,
      },
    };
  });

export const HOSTILE_POSTS: readonly [kind: string, posts: fc.Arbitrary<Posted>][] = [
  ['text that is no JSON any more', posted(brokenText)],
  ['messages with anything in them', posted(message.map(textOf))],
  ['messages of 2026-07-28', modern],
  ['batches of everything', posted(fc.array(message, { maxLength: 11 }).map(textOf))],
];
