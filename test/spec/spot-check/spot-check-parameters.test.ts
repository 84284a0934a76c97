import { describe, expect, it } from 'vitest';
import { decided, sentCorpus } from '../../corpora/url-corpus.ts';
import { checkOf, EXEMPT, expectProblem, SPOT_CHECK, useService } from '../../support/asking.ts';
import { DOORS, freshAddress, type Received } from '../../support/running/running-service.ts';

const PAYEE = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const SOLANA_PAYEE = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const HONEST = checkOf('http://seller.example/honest');

describe.each(DOORS)('GET spot-check, refused, through the %s', (door) => {
  const service = useService({ door });
  const from = freshAddress();
  const sized = (bytes: number) => 'http://seller.example/'.padEnd(bytes, 'a');

  describe('400, named and never metered', () => {
    it.each<[string, string]>([
      ['not sent', SPOT_CHECK],
      ['empty', `${SPOT_CHECK}?url=`],
      ['sent twice (G04)', `${HONEST}&url=http%3A%2F%2Fseller.example%2Fhonest`],
      ['sent twice, once encoded', `${HONEST}&%75rl=http%3A%2F%2F127.0.0.1%2F`],
      ['in another encoding than UTF-8', `${SPOT_CHECK}?url=http%3A%2F%2Fseller.example%2Fcaf%E9`],
      ['no URL', checkOf('honest')],
      ['without a scheme', checkOf('seller.example/honest')],
      ['without a host', checkOf('http://')],
      ['of another scheme', checkOf('ftp://seller.example/')],
      ['a script', checkOf('javascript:alert(1)')],
      ['a file', checkOf('file:///etc/passwd')],
      ['data', checkOf('data:text/plain,x')],
      ['with a line break', checkOf('http://seller.example/\r\nX: 1')],
      ['with a tab', checkOf('http://seller\t.example/')],
      ['with NUL', checkOf('http://seller.example/\0')],
      ['with a blank before it', checkOf(' http://seller.example/')],
      ['with a blank after it', checkOf('http://seller.example/ ')],
      ['over 2,048 bytes', checkOf(sized(2_049))],
      ['over 2,048 bytes in its own encoding', checkOf(`http://seller.example/${'ä'.repeat(1_010)}`)],
      ['with a malformed host', checkOf('http://-seller-.example/')],
      ['with a port beyond all ports', checkOf('http://seller.example:65536/')],
    ])('url %s', async (_, path) => {
      expectProblem(await service.ask(path, { from }), 400, 'bad_request', 'url');
    });

    it.each([
      'http://user:hunter2@seller.example/',
      'http://hunter2@seller.example/',
      'http://:hunter2@127.0.0.1/',
      'ftp://user:hunter2@seller.example/',
      'http://user:hunter2@seller example/',
      'http://user:hunter2@seller.example:99999/',
    ])('url with a password, which does not come back (G53): %s', async (url) => {
      const answer = await service.ask(checkOf(url), { from });
      expectProblem(answer, 400, 'bad_request', 'url');
      expect(answer.text).not.toContain('hunter2');
    });

    it.each<[string, readonly string[]]>([
      [
        'claimed_price',
        ['', '-1', '-0', 'NaN', 'Infinity', '1e309', '1e-2', '0x10', '1,5', '$1', '.5', '1.', '01', ' 1'],
      ],
      ['method', ['', 'get', 'PUT', 'HEAD', 'GET\r\nX: 1', 'GET ']],
      ['mode', ['', 'LIVE', 'dryrun', 'dry_run', 'paid']],
      [
        'network',
        ['', 'eip155:', 'eip155:08453', 'eip155:0x2105', 'bitcoin', 'constructor', '8453', 'eip155:8453 '],
      ],
      ['pay_to', ['', 'notanaddress', PAYEE.slice(0, -1), `${PAYEE}0`, 'vitalik.eth', `${PAYEE} `]],
      ['client', ['', 'a'.repeat(65), 'a b', 'ä', 'a\0', '*']],
      ['ref', ['', 'a'.repeat(65), 'a b', 'ä', 'dry-run-ä', 'a/b']],
      ['task', ['', '!?', 'a'.repeat(257)]],
    ])('%s in a form that is not its own', async (field, values) => {
      for (const value of values) {
        const answer = await service.ask(`${HONEST}&${new URLSearchParams({ [field]: value })}`, { from });
        expectProblem(answer, 400, 'bad_request', field);
      }
    });

    it.each(['claimed_price=1', 'method=GET', 'mode=live', 'network=base', 'client=a', 'ref=a', 'task=a'])(
      '%s twice (G04)',
      async (parameter) => {
        const answer = await service.ask(`${HONEST}&${parameter}&${parameter}`, { from });
        expectProblem(answer, 400, 'bad_request', parameter.split('=')[0]);
      },
    );

    it('pay_to that cannot be on the network that was sent', async () => {
      for (const query of [`pay_to=${SOLANA_PAYEE}&network=eip155:8453`, `pay_to=${PAYEE}&network=solana`]) {
        expectProblem(await service.ask(`${HONEST}&${query}`, { from }), 400, 'bad_request', 'pay_to');
      }
    });

    it('so that nothing was probed, nothing stored, and the free check is still there', async () => {
      expect(service.sellerRequests).toEqual([]);
      expect((await service.ask('/v1/receipts?type=live')).json.count).toBe(0);
      expect((await service.ask(HONEST, { from })).json.access.free_used_today).toBe(1);
    });
  });

  it.each<[string, string]>([
    ['a URL of 2,048 bytes', checkOf(sized(2_048))],
    ['a port from 1024 on', checkOf('http://seller.example:1024/honest')],
    ['names nobody knows', `${HONEST}&fresh=1&CLIENT=$$$&url[]=http://127.0.0.1/&mode[]=x&__proto__[mode]=x`],
    ['a network that we never approve', `${HONEST}&network=eip155:84532`],
    ['a payee of another kind of network', `${HONEST}&pay_to=${SOLANA_PAYEE}`],
  ])('200: %s', async (_, path) => {
    expect((await service.ask(path)).status).toBe(200);
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('405: %s', async (method) => {
    const answer = await service.ask(HONEST, { method });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.header('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });
});

describe.each(DOORS)('the URL corpus as it is sent, through the %s', (door) => {
  const service = useService({ door });
  const outcome = ({ status, json }: Received) =>
    status === 200 ? 'allowed_public' : status === 400 && json.verdict === 'skip' ? 'blocked' : json.code;

  it('is run whole', () => {
    expect(sentCorpus().length).toBe(23);
  });

  it.each(sentCorpus().map((entry) => [entry.id, entry.why, entry] as const))(
    '%s: %s',
    async (_id, _why, entry) => {
      const { raw_query, raw_body } = entry;
      const answer =
        raw_body === undefined
          ? await service.ask(`${SPOT_CHECK}?${raw_query}`)
          : await service.ask(SPOT_CHECK, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: raw_body,
            });
      expect([entry.expect, ...entry.also_ok]).toContain(outcome(answer));
      expect(outcome(answer)).toBe(decided(entry));
      if (answer.status === 200) expect(answer.json.access.tier).toBe('free');
    },
  );

  it('leaves nothing behind but what was allowed', async () => {
    const { receipts } = (await service.ask('/v1/receipts?type=live')).json;
    expect(new Set(receipts.map(({ url }: { url: string }) => url))).toEqual(
      new Set(['http://example.com/']),
    );
    expect((await service.ask(checkOf('http://example.com/'), { headers: EXEMPT })).status).toBe(200);
  });
});
