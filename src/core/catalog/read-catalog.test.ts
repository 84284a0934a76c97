import { describe, expect, it } from 'vitest';
import { aService, SERVICE_DATA } from '../../../tools/samples/catalog.ts';
import { readCatalog } from './read-catalog.ts';

/** Something is said, and it fits behind the file, the id and the field in one line of a terminal. */
const ONE_LINE = /^(?=.*\w)[^\n]{1,250}$/;
const PAYEE = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const SIGNED = { to: PAYEE, signed_on: '2026-11-01', signature: `0x${'ab'.repeat(65)}` };

describe('the catalog file', () => {
  it('becomes services with parsed members', () => {
    expect(
      aService({ pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C', example: { query: { lat: '52' } } }),
    ).toMatchObject({
      id: 'plain-weather',
      price: 10_000n,
      network: { network: 'eip155:8453', name: 'base' },
      endpoint: { normalized: 'https://weather.example.com/v1/now' },
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      payeeRotations: [],
      pinnedFactsOnly: null,
      knownAnswer: null,
      example: { query: { lat: '52' } },
      source: { list: 'a-list', seenOn: '2026-11-01' },
    });
  });

  it.each<[string, unknown, string, string]>([
    ['not a list', { services: [] }, '(catalog)', '(file)'],
    ['not an object', [1], '(entry 1)', '(entry)'],
    ['a duplicate id', [SERVICE_DATA, SERVICE_DATA], 'plain-weather', 'id'],
    ['a bad price', [{ ...SERVICE_DATA, price_usd: '1e2' }], 'plain-weather', 'price_usd'],
    ['a price as a number', [{ ...SERVICE_DATA, price_usd: 0.01 }], 'plain-weather', 'price_usd'],
    ['a testnet', [{ ...SERVICE_DATA, network: 'base-sepolia' }], 'plain-weather', 'network'],
    [
      'a URL with a password',
      [{ ...SERVICE_DATA, endpoint: 'https://a:b@c.example/' }],
      'plain-weather',
      'endpoint',
    ],
    [
      'a payee of another network',
      [{ ...SERVICE_DATA, pay_to: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' }],
      'plain-weather',
      'pay_to',
    ],
    [
      'a path parameter that the path does not have',
      [{ ...SERVICE_DATA, path_parameters: [{ name: 'city', example: 'berlin' }] }],
      'plain-weather',
      'path_parameters',
    ],
    [
      'two path parameters with one name',
      [
        {
          ...SERVICE_DATA,
          path_parameters: ['v1', 'now'].map((example) => ({ name: 'city', example })),
        },
      ],
      'plain-weather',
      'path_parameters',
    ],
    [
      'a path parameter that is two segments',
      [
        {
          ...SERVICE_DATA,
          endpoint: 'https://weather.example.com/now/now',
          path_parameters: [{ name: 'city', example: 'now' }],
        },
      ],
      'plain-weather',
      'path_parameters',
    ],
    [
      'an example of more than a kilobyte',
      [{ ...SERVICE_DATA, example: { body: { text: 'a'.repeat(1_024) } } }],
      'plain-weather',
      'example',
    ],
    ['an unknown member', [{ ...SERVICE_DATA, pric: '1' }], 'plain-weather', '(entry)'],
    ['a task with blanks', [{ ...SERVICE_DATA, tasks: ['web search'] }], 'plain-weather', 'tasks.0'],
    [
      'a rotation without a payee to rotate from',
      [{ ...SERVICE_DATA, payee_rotations: [SIGNED] }],
      'plain-weather',
      'pay_to',
    ],
    [
      'a rotation to a wallet of another network',
      [{ ...SERVICE_DATA, pay_to: PAYEE, payee_rotations: [SIGNED, { ...SIGNED, to: '0x1' }] }],
      'plain-weather',
      'payee_rotations.1.to',
    ],
    [
      'a rotation that nobody signed',
      [{ ...SERVICE_DATA, pay_to: PAYEE, payee_rotations: [{ ...SIGNED, signature: '0x' }] }],
      'plain-weather',
      'payee_rotations.0.signature',
    ],
    ['an id with blanks', [{ ...SERVICE_DATA, id: 'a b' }], '(entry 1)', 'id'],
  ])('is refused with %s, naming service and field', (_, data, id, field) => {
    expect(readCatalog(data)).toMatchObject({
      kind: 'invalid',
      id,
      field,
      problem: expect.stringMatching(ONE_LINE),
    });
  });

  it('keeps the rotations of a payee in their order', () => {
    const second = { ...SIGNED, signed_on: '2026-11-02' };
    expect(aService({ pay_to: PAYEE, payee_rotations: [SIGNED, second] }).payeeRotations).toEqual([
      { to: PAYEE, signedOn: '2026-11-01', signature: SIGNED.signature },
      { to: PAYEE, signedOn: '2026-11-02', signature: SIGNED.signature },
    ]);
  });

  it('may be empty', () => {
    expect(readCatalog([])).toEqual({ kind: 'catalog', services: [] });
  });
});

const CHECK = { kind: 'number_near', path: '$..price', to: { reference: 'rate' }, tolerance: 1 };
const RATE = { kind: 'http_json', url: 'https://source.example.com/rates', path: '$.rate' };
const CALL = {
  kind: 'eth_call',
  network: 'eip155:8453',
  to: PAYEE,
  data: '0x50d25bcd',
  returns: 'int256',
};

describe('a known answer in the catalog', () => {
  const read = (changes: object) => {
    const test = { input: 'x', pass_if: 'y', predicates: [CHECK], references: { rate: RATE }, ...changes };
    return readCatalog([SERVICE_DATA, { ...SERVICE_DATA, id: 'graded', known_answer: test }]);
  };

  it.each<[string, object]>([
    ['a JSON document', {}],
    ['a contract', { references: { rate: { ...CALL, decimals: 8 } } }],
    ['our clock', { references: { rate: { kind: 'clock', as: 'unix_seconds' } } }],
    ['a certificate', { references: { rate: { kind: 'tls', host: 'example.com', field: 'days_left' } } }],
    ['nothing', { predicates: [{ kind: 'at_least', path: '$', items: 1 }], references: undefined }],
  ])('may compare with %s', (_, changes) => {
    expect(read(changes)).toMatchObject({ kind: 'catalog' });
  });

  const rate = (changes: object) => ({ references: { rate: { ...RATE, ...changes } } });
  const call = (changes: object) => ({ references: { rate: { ...CALL, ...changes } } });
  const tls = (changes: object) => ({
    references: { rate: { kind: 'tls', host: 'example.com', field: 'days_left', ...changes } },
  });
  const check = (changes: object) => ({ predicates: [{ ...CHECK, ...changes }] });

  it.each<[string, object, string]>([
    ['an unknown predicate', { predicates: [{ kind: 'feels_right', path: '$' }] }, 'predicates.0.kind'],
    ['a path that is none', check({ path: '$.items[' }), 'predicates.0.path'],
    ['a member too many', check({ extra: 1 }), 'predicates.0'],
    ['a value and a reference at once', check({ to: { value: 1, reference: 'rate' } }), 'predicates.0.to'],
    ['no tolerance', check({ tolerance: undefined }), 'predicates.0.tolerance'],
    ['two tolerances', check({ tolerance_percent: 1 }), 'predicates.0.tolerance'],
    [
      'bounds the wrong way round',
      { predicates: [CHECK, { kind: 'number_between', path: '$', min: 2, max: 1 }] },
      'predicates.1.max',
    ],
    ['no predicate', { predicates: [], references: {} }, 'predicates'],
    ['a reference that is not declared', check({ to: { reference: 'other' } }), 'predicates.0.to.reference'],
    ['a reference that nothing uses', { references: { rate: RATE, other: RATE } }, 'references.other'],
    ['an unknown kind of reference', rate({ kind: 'oracle' }), 'references.rate.kind'],
    ['a name that is none', { references: { rate: RATE, 'a b': RATE } }, 'references.a b'],
    ['a source that is no web address', rate({ url: 'ftp://source.example.com/' }), 'references.rate.url'],
    ['a source with a password', rate({ url: 'https://a:b@source.example.com/' }), 'references.rate.url'],
    ['a source with a path that is none', rate({ path: 'rate' }), 'references.rate.path'],
    ['a contract on another network', call({ network: 'eip155:1' }), 'references.rate.network'],
    ['a contract at no address', call({ to: '0x1234' }), 'references.rate.to'],
    ['half a byte of call data', call({ data: '0x50d25bcd0' }), 'references.rate.data'],
    ['call data without a selector', call({ data: '0x' }), 'references.rate.data'],
    ['a type that is not read', call({ returns: 'bytes32' }), 'references.rate.returns'],
    ['decimals of a text', call({ returns: 'string', decimals: 2 }), 'references.rate.decimals'],
    ['a clock that strikes', { references: { rate: { kind: 'clock', as: 'bell' } } }, 'references.rate.as'],
    ['a host with a path', tls({ host: 'example.com/x' }), 'references.rate.host'],
    ['a host with a user', tls({ host: 'a@example.com' }), 'references.rate.host'],
    ['a port beyond ports', tls({ port: 65_536 }), 'references.rate.port'],
    ['a field that certificates lack', tls({ field: 'colour' }), 'references.rate.field'],
  ])('with %s is refused, naming service and field', (_, changes, field) => {
    expect(read(changes)).toEqual({
      kind: 'invalid',
      id: 'graded',
      field: `known_answer.${field}`,
      problem: expect.stringMatching(ONE_LINE),
    });
  });
});
