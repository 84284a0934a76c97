import { answered, ENTRY, THIEF } from '../../../tools/samples/challenge.ts';
import { DAI } from '../judging.ts';
import {
  BAZAAR,
  GOOD_402,
  LINTED_URL,
  type LintRow,
  paywallWith,
  RESOURCE,
  TERMS_V1,
  TERMS_V2,
  withHeader,
} from './good-endpoint.ts';

const withBazaar = (bazaar: unknown) => withHeader({ extensions: { bazaar } });
const DEAR = { ...ENTRY, amount: '990000' };

/** The answer, its terms, and what payers and lists make of them. */
export const TERMS_ROWS: readonly LintRow[] = [
  ['all is well', {}, []],
  ['an answer that is no 402', { bare: answered({ status: 200 }), browser: null }, ['error verdict']],
  ['a server error', { bare: answered({ status: 503 }) }, ['error verdict']],
  ['no answer', { bare: { kind: 'timed_out' } }, ['error verdict']],
  ['fields too large', { bare: { kind: 'headers_too_large' } }, ['error verdict']],
  ['terms with a status of their own', { bare: { ...GOOD_402, status: 200 } }, ['error terms_without_402']],
  [
    'a check of the input first',
    { bare: answered({ status: 422 }) },
    ['error verdict', 'warning needs_input'],
  ],
  // That is about the Accept of the request, not about its input.
  ['a kind of answer that we do not take', { bare: answered({ status: 406 }) }, ['error verdict']],
  [
    'the input brings the 402',
    { bare: answered({ status: 400 }), withInput: GOOD_402 },
    ['warning needs_input'],
  ],
  ['the other method', { bare: answered({ status: 405 }) }, ['error verdict', 'warning wrong_method']],
  ['the same terms with the input', { withInput: GOOD_402 }, []],
  [
    'other terms with the input',
    { withInput: paywallWith({ ...TERMS_V2, accepts: [DEAR] }, null) },
    ['note terms_vary'],
  ],
  ['no 402 with the input', { withInput: answered({ status: 200 }) }, ['note terms_vary']],
  [
    'version 1 alone',
    { bare: paywallWith(null, TERMS_V1) },
    ['warning no_version_2', 'note payer_x402_fetch', 'note payer_x402_axios'],
  ],
  [
    'version 2 in both places',
    { bare: paywallWith(TERMS_V2, TERMS_V2) },
    ['note no_version_1', 'note payer_x402_fetch_v1'],
  ],
  [
    'version 2 alone',
    { bare: paywallWith(TERMS_V2, null) },
    ['note no_version_1', 'note payer_x402_fetch_v1'],
  ],
  [
    'another resource, twice',
    {
      bare: paywallWith(
        { ...TERMS_V2, resource: { ...RESOURCE, url: 'http://10.0.0.7/v1/weather' } },
        { ...TERMS_V1, accepts: [{ ...TERMS_V1.accepts[0], resource: 'https://seller.example/other' }] },
      ),
    },
    ['warning resource_differs $.resource.url', 'warning resource_differs $.accepts[0].resource'],
  ],
  [
    'a resource with another query',
    { bare: withHeader({ resource: { url: `${LINTED_URL}?city=Bern` } }) },
    [],
  ],
  [
    'a price above the limits of payers',
    { bare: paywallWith({ ...TERMS_V2, accepts: [{ ...ENTRY, amount: '2000000' }] }, null), openapi: null },
    ['note no_version_1', 'note payer_x402_fetch', 'note payer_x402_fetch_v1'],
  ],
  [
    'no resource',
    { bare: withHeader({ resource: undefined }) },
    ['warning resource_missing $.resource', 'warning payer_faremeter'],
  ],
  [
    'header and body differ',
    {
      bare: paywallWith(TERMS_V2, {
        ...TERMS_V1,
        accepts: [{ ...TERMS_V1.accepts[0], maxAmountRequired: '20000' }],
      }),
    },
    ['error header_and_body_differ $.accepts[0].maxAmountRequired', 'error payers_differ'],
  ],
  [
    'a payer that takes the thief',
    {
      bare: paywallWith({ ...TERMS_V2, accepts: [{ ...ENTRY, asset: DAI, payTo: THIEF }, ENTRY] }, null),
      openapi: null,
    },
    [
      'error several_payees $.accepts[0].payTo',
      'error payers_differ',
      'note no_version_1',
      'note payer_x402_fetch_v1',
    ],
  ],
  [
    'a payer that takes another token, in another amount',
    {
      bare: paywallWith(
        { ...TERMS_V2, accepts: [{ ...ENTRY, asset: DAI, amount: '10000000000000000' }, ENTRY] },
        null,
      ),
    },
    ['error payers_differ', 'note no_version_1', 'note payer_x402_fetch_v1'],
  ],
  [
    'a payer that takes another token, in the same amount',
    { bare: paywallWith({ ...TERMS_V2, accepts: [{ ...ENTRY, asset: DAI }, ENTRY] }, null) },
    ['error payers_differ', 'note no_version_1', 'note payer_x402_fetch_v1'],
  ],
  [
    'a payer that takes USDC of another mainnet',
    {
      bare: paywallWith(
        {
          ...TERMS_V2,
          accepts: [
            { ...ENTRY, network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' },
            ENTRY,
          ],
        },
        null,
      ),
      openapi: null,
    },
    ['note no_version_1', 'note payer_x402_fetch_v1'],
  ],
  ['no bazaar', { bare: withHeader({ extensions: undefined }) }, ['note bazaar_missing $.extensions']],
  ['a bazaar that is text', { bare: withBazaar('x') }, ['warning bazaar_malformed $.extensions.bazaar']],
  [
    'a bazaar without a schema',
    { bare: withBazaar({ info: BAZAAR.info }) },
    ['warning bazaar_malformed $.extensions.bazaar'],
  ],
  [
    'a bazaar without an input',
    { bare: withBazaar({ ...BAZAAR, info: {} }) },
    ['warning bazaar_malformed $.extensions.bazaar'],
  ],
  [
    'an example that breaks its schema',
    {
      bare: withBazaar({
        ...BAZAAR,
        info: { input: { type: 'http', method: 'GET', queryParams: { city: 7 } } },
      }),
    },
    ['warning bazaar_example $.extensions.bazaar.info.input.queryParams.city'],
  ],
  [
    'a schema in a loop',
    { bare: withBazaar({ ...BAZAAR, schema: { $ref: '#' } }) },
    ['warning bazaar_schema $.extensions.bazaar.schema'],
  ],
  [
    'a pattern without end',
    {
      bare: withBazaar({
        ...BAZAAR,
        schema: { properties: { input: { properties: { type: { pattern: '(h+)+$' } } } } },
      }),
    },
    [],
  ],
  [
    'an example of POST',
    { bare: withBazaar({ info: { input: { type: 'http', method: 'POST' } }, schema: {} }) },
    ['warning bazaar_method $.extensions.bazaar.info.input.method'],
  ],
];
