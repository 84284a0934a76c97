import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkOf } from '../support/asking.ts';
import { SELF_TEST_KEY, startService, type TestService } from '../support/running/running-service.ts';

const refused: string[] = [];
let service: TestService;
beforeAll(async () => {
  service = await startService({
    settings: { PROBES_PER_HOST_MINUTE: '2', PRICED_PROBES_PER_HOUR: '1' },
    world: { onRefused: (why) => refused.push(why) },
  });
});
afterAll(() => service.close());

const exempt = { headers: { authorization: `Bearer ${SELF_TEST_KEY}` } };

it.each<[string, readonly string[], string[]]>([
  ['an address that is not public', ['http://10.0.0.1/'], ['url_address']],
  ['a name of an internal zone', ['http://printer.local/'], ['url_internal_name']],
  ['our own name', ['http://assay.example.org/'], ['url_own_host']],
  ['a port that no web server has', ['http://seller.example:22/'], ['url_port']],
  [
    'the third new probe of one host in a minute',
    [1, 2, 3].map((n) => `http://busy.example/honest?${n}`),
    ['target_budget'],
  ],
  ['what is served', ['http://seller.example/honest'], []],
])('%s is counted in its class', async (_, urls, classes) => {
  refused.length = 0;
  for (const url of urls) await service.ask(checkOf(url), exempt);
  expect(refused).toEqual(classes);
});

it('an hour of prices that nobody pays is counted as the caller’s', async () => {
  refused.length = 0;
  const from = '100.64.9.9';
  // The first is free, the second ends in a price.
  for (const n of [1, 2, 3]) await service.ask(checkOf(`http://dear-${n}.example/honest`), { from });
  expect(refused).toEqual(['caller_budget']);
});
