import { describe, expect, it } from 'vitest';
import { publicWeb } from '../../../src/core/url/gate.ts';
import { optOutsOf } from '../../../src/core/url/opt-outs.ts';
import { publicAddresses } from '../../../src/core/url/public-address.ts';
import { checkOf, EXEMPT, useService } from '../../support/asking.ts';
import { probingHarness } from '../../support/probing/probing.ts';
import { DOORS, freshAddress } from '../../support/running/running-service.ts';

const ADDRESSES = new Map([
  ['loud.example', ['93.184.216.34']],
  ['other-name.example', ['1.2.3.4']],
  ['neighbour.example', ['5.6.7.8']],
  ['one-of-two.example', ['93.184.216.34', '5.6.7.8']],
  ['six.example', ['2606:4700:10::7']],
]);

/** Whoever opted out gets no request of ours, whoever asks (G77). */
describe.each(DOORS)('a check of an opted-out target through the %s', (door) => {
  const optOuts = optOutsOf(['quiet.example', '1.2.3.4', '5.6.0.0/16', '2606:4700:10::/48']);
  const policy = publicWeb({ addresses: publicAddresses([]), ownHosts: new Set(), optOuts });
  const { prober, dialled } = probingHarness(1, {
    policy,
    resolve: async (name) => ({ kind: 'addresses', addresses: ADDRESSES.get(name) ?? ['93.184.216.34'] }),
    dial: async ({ address }) => {
      dialled.push(address);
      throw new Error('nobody is there');
    },
  });
  const service = useService({ door, world: { policy, prober } });

  it.each<[string, string, Record<string, string>]>([
    ['by its name', 'http://quiet.example/honest', {}],
    ['as a dry run', 'http://quiet.example/honest', { mode: 'dry-run' }],
    ['by its address in the URL', 'http://1.2.3.4/honest', {}],
    ['under another name of its address', 'http://other-name.example/honest', {}],
    ['by its network', 'http://neighbour.example/honest', { mode: 'dry-run' }],
    ['by one of several addresses', 'http://one-of-two.example/honest', {}],
    ['by its IPv6 network', 'http://six.example/honest', {}],
  ])('%s is refused, and nothing is sent', async (_, url, parameters) => {
    const before = dialled.length;
    for (const headers of [{}, EXEMPT]) {
      const { status, json } = await service.ask(checkOf(url, parameters), { headers });
      expect([status, json.code, json.verdict, json.reason]).toEqual([
        400,
        'ssrf_blocked',
        'skip',
        'ssrf_blocked',
      ]);
      expect(json.detail).toContain('opted out');
    }
    expect(dialled).toHaveLength(before);
  });

  it.each<[string, Record<string, string>]>([
    ['free checks and prices', {}],
    ['dry runs', { mode: 'dry-run' }],
  ])('uses up nothing, however often it is asked: %s (G31)', async (_, parameters) => {
    const from = freshAddress();
    const ask = (url: string) => service.ask(checkOf(url, parameters), { from });
    for (let n = 0; n < 65; n += 1) {
      const { status } = await ask(`http://other-name.example/${n}`);
      expect(status).toBe(400);
    }
    expect((await ask('http://loud.example/honest')).status).toBe(200);
  });

  it('others are asked', async () => {
    const { json } = await service.ask(checkOf('http://loud.example/honest'));
    expect([json.verdict, dialled.at(-1)]).toEqual(['recheck', '93.184.216.34']);
  });
});
