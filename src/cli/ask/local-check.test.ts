import { describe, expect, it } from 'vitest';
import { IMPATIENT_MS, probing } from '../../../test/support/probing/probing.ts';
import { scriptedSeller } from '../../../test/support/probing/scripted-seller.ts';
import { commandLine, run } from '../../../test/support/running/command-line.ts';
import { PAYEE } from '../../../tools/samples/challenge.ts';
import { anywhere } from '../../../tools/samples/placed.ts';
import { publicWeb } from '../../core/url/gate.ts';
import { publicAddresses } from '../../core/url/public-address.ts';

const policy = publicWeb({ addresses: publicAddresses([]), ownHosts: new Set() });
const CLAIM = ['--claimed-price', '0.01', '--network', 'base', '--pay-to', PAYEE];

/** The real gate, prober and judge; only the last step of a dial is bent to a seller on loopback. */
async function local(argv: readonly string[], input: readonly string[] | null = null) {
  const isSilent = argv[0]?.endsWith('/slow') === true;
  const { prober, requests, dialled } = await probing(
    scriptedSeller,
    isSilent ? { timeoutMs: IMPATIENT_MS } : {},
  );
  const told = await run(['check', '--local', ...argv], { outbound: { policy, prober }, input });
  return { ...told, requests, dialled };
}

describe('a check from this machine', () => {
  it.each<[seller: string, code: number, verdict: string, reason: string]>([
    ['honest', 0, 'pay', 'price_ok'],
    ['dear', 1, 'skip', 'price_mismatch'],
    ['thief', 1, 'skip', 'pay_to_mismatch'],
    ['testnet', 1, 'skip', 'network_mismatch'],
    ['other-token', 1, 'skip', 'asset_not_usdc'],
    ['no-paywall', 1, 'skip', 'no_paywall'],
    ['broken', 1, 'skip', 'bad_challenge'],
    ['trial', 3, 'recheck', 'free_trial_active'],
    ['down', 3, 'recheck', 'server_error'],
    ['slow', 3, 'recheck', 'timeout'],
    ['reset', 3, 'recheck', 'unreachable'],
  ])('%s', async (seller, code, verdict, reason) => {
    const told = await local([`http://${seller}.example/${seller}`, ...CLAIM, '--json']);
    expect([told.code, JSON.parse(told.out), told.notes]).toMatchObject([code, { verdict, reason }, '']);
  });

  it('has the fields that exist without a service', async () => {
    const { out } = await local(['http://seller.example/honest', ...CLAIM, '--json']);
    expect(JSON.parse(out)).toEqual({
      url: 'http://seller.example/honest',
      method: 'GET',
      verdict: 'pay',
      reason: 'price_ok',
      reason_text: 'The live 402 asks $0.01 in USDC on eip155:8453, as expected.',
      quoted_price_usd: 0.01,
      claimed_price_usd: 0.01,
      pay_to: PAYEE,
      network: 'eip155:8453',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      expected_pay_to: PAYEE,
      expected_network: 'eip155:8453',
      expected_source: 'request',
      payment: {
        network: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        amount: { atomic: '10000', usd: 0.01 },
        pay_to: PAYEE,
        deadline: '2026-11-15T12:01:00.000Z',
        deadline_source: 'maxTimeoutSeconds',
        max_timeout_seconds: 60,
        scheme: 'exact',
        asset_is_usdc: true,
        amount_atomic: '10000',
        amount_usd: 0.01,
      },
      input: null,
      needs_input: null,
      other_method: null,
      payment_terms_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      probe: { probed_at: '2026-11-15T12:00:00.000Z', cached: false, cache_ttl_s: 300 },
      receipt_id: null,
      receipt_url: null,
    });
  });

  it('is the same card, whole in a pipe', async () => {
    const { out } = await local(['http://seller.example/thief', ...CLAIM]);
    expect(out.split('\n')).toEqual([
      '✗ SKIP  pay_to_mismatch',
      'The payee of the live 402 is not the expected payee.',
      '',
      '  endpoint  GET http://seller.example/thief',
      '  quoted    $0.01 a call',
      '',
      '            expected                                    live',
      '  price     $0.01                                       $0.01                                       same',
      '  network   eip155:8453                                 eip155:8453                                 same',
      '! payee     0x209693Bc6afc0C5328bA36FaF03C514EF312287C  0x857b06519E91e3A54538791bDbb0E22373e36b66  differs',
      '',
      '  probed    0 s ago',
      '',
    ]);
  });

  it('as a dry run approves nothing', async () => {
    const told = await local(['http://seller.example/honest', '--dry-run', '--json']);
    expect([told.code, JSON.parse(told.out)]).toMatchObject([
      0,
      { verdict: 'pay', payment: null, payment_terms_sha256: null },
    ]);
  });

  it.each<[why: string, url: string]>([
    ['this machine', 'http://127.0.0.1:4402/'],
    ['its name', 'http://localhost/'],
    ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data'],
    ['a port that is no web', 'http://seller.example:22/'],
  ])('never looks at %s', async (_, url) => {
    const { code, out, requests, dialled } = await local([url, '--json']);
    expect([code, requests, dialled]).toEqual([1, [], []]);
    expect(JSON.parse(out)).toMatchObject({ url, verdict: 'skip', reason: 'ssrf_blocked' });
  });

  it.each<[why: string, argv: readonly string[], line: string]>([
    ['no URL', ['nonsense'], 'assay: url must be an absolute http or https URL.\n'],
    [
      'a password, which is not repeated',
      ['http://u:secret@a.example/'],
      'assay: url must not contain a user name or a password.\n',
    ],
    [
      'a price that is none',
      ['http://a.example/', '--claimed-price', '1e3'],
      'assay: claimed_price must be a plain decimal from 0 to 999999999999, such as 0.01.\n',
    ],
    [
      'a method that is none',
      ['http://a.example/', '--method', 'PUT'],
      'assay: method must be GET or POST.\n',
    ],
  ])('%s is a usage fault', async (_, argv, line) => {
    const { code, out, notes, requests } = await local(argv);
    expect([code, out, notes, requests]).toEqual([2, '', line, []]);
  });

  it('of many asks the same URL once', async () => {
    const url = 'http://seller.example/honest';
    const { code, out, requests } = await local(['--quiet'], [`${url}\n`.repeat(20)]);
    expect([code, out, requests.length]).toEqual([0, 'pay\n'.repeat(20), 1]);
  });

  it('of many waits for a host that has had its share of the minute, and goes on in order', async () => {
    const paths = Array.from({ length: 30 }, (_, at) => `http://seller.example/honest?${at}`);
    const { out, requests } = await local(['--quiet'], [paths.join('\n')]);
    expect([out, requests.length]).toEqual(['pay\n'.repeat(30), 30]);
  });

  it('ends with Ctrl-C, although the seller still keeps it waiting', async () => {
    const prober = { locate: anywhere, probe: () => new Promise<never>(() => setTimeout(line.stop)) };
    const line = commandLine({ outbound: { policy, prober } });
    const words = ['--local', 'http://seller.example/a', 'http://seller.example/b'];
    expect(await line.run('check', words)).toBe(130);
    expect(line.out()).toBe('');
  });
});
