import { describe, expect, it } from 'vitest';
import { freeCheck as free, problem, run } from '../../../test/support/running/command-line.ts';

const KEY = 'a-key-that-nobody-may-see';
const URL_A = 'https://a.example/data';
const ID = 'sc-00010203fcfdfeff';

function hearing(answer: Response = Response.json(free('pay', { receipt_id: ID }))) {
  const heard: string[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const { host, pathname } = new URL(String(url));
    heard.push(`${host}${pathname} ${new Headers(init?.headers).get('authorization') ?? 'nothing'}`);
    return pathname.includes('/receipts/') ? problem(404, 'None.') : answer.clone();
  };
  return { heard, fetch };
}

const CHECKED = '/v1/products/endpoint-spot-check';

describe('the self-test key', () => {
  it.each<[why: string, argv: readonly string[], key: string, heard: readonly string[]]>([
    [
      'of the environment',
      [],
      KEY,
      [`assay.test${CHECKED} Bearer ${KEY}`, `assay.test/v1/receipts/${ID} nothing`],
    ],
    [
      'that was typed',
      ['--key', KEY],
      'another',
      [`assay.test${CHECKED} Bearer ${KEY}`, `assay.test/v1/receipts/${ID} nothing`],
    ],
    ['that is not set', [], '', [`assay.test${CHECKED} nothing`, `assay.test/v1/receipts/${ID} nothing`]],
    [
      'of the environment stays with the service of the environment',
      ['--server', 'http://other.test'],
      KEY,
      [`other.test${CHECKED} nothing`, `other.test/v1/receipts/${ID} nothing`],
    ],
    [
      'that was typed goes to the service that was typed',
      ['--server', 'http://other.test', '--key', KEY],
      '',
      [`other.test${CHECKED} Bearer ${KEY}`, `other.test/v1/receipts/${ID} nothing`],
    ],
  ])('%s', async (_, argv, key, heard) => {
    const service = hearing();
    const { out, notes } = await run(['check', URL_A, ...argv], { ...service, key });
    expect(service.heard).toEqual(heard);
    expect(out + notes).not.toContain(KEY);
  });

  it('of the environment says when it is not sent', async () => {
    const { notes } = await run(['check', URL_A, '--server', 'http://other.test'], {
      ...hearing(),
      key: KEY,
    });
    expect(notes).toBe('assay: ASSAY_KEY was not sent to http://other.test; it is for http://assay.test\n');
  });

  it('goes with a lookup, and with nothing that is free anyway', async () => {
    const service = hearing(Response.json({ matched: 0, results: [] }));
    await run(['lookup', 'weather'], { ...service, key: KEY });
    await run(['tasks'], { ...service, key: KEY });
    await run(['receipt', ID], { ...service, key: KEY });
    expect(service.heard).toEqual([
      `assay.test/v1/lookup Bearer ${KEY}`,
      'assay.test/v1/tasks nothing',
      `assay.test/v1/receipts/${ID} nothing`,
    ]);
  });

  it('does not follow a redirect', async () => {
    const elsewhere = new Response(null, { status: 307, headers: { location: 'http://thief.test/' } });
    const service = hearing(elsewhere);
    const { code, notes } = await run(['check', URL_A], { ...service, key: KEY });
    expect([code, service.heard.length]).toEqual([5, 1]);
    expect(notes).not.toContain(KEY);
  });

  it.each([`${KEY}\r\nx: y`, `${KEY} ${KEY}`, `${KEY}é`, KEY.repeat(20)])(
    'is refused unseen: %j',
    async (key) => {
      const service = hearing();
      const typed = await run(['check', URL_A, '--key', key], service);
      const set = await run(['lookup', 'x'], { ...service, key });
      for (const { code, out, notes } of [typed, set]) {
        expect([code, out]).toEqual([2, '']);
        expect(notes).toContain(
          'the key (--key, ASSAY_KEY) must be 1 to 256 printable characters without spaces',
        );
        expect(notes).not.toContain(KEY);
      }
      expect(service.heard).toEqual([]);
    },
  );
});
