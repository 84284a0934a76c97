import { describe, expect, it } from 'vitest';
import { aCall, aService } from '../../../../tools/samples/catalog.ts';
import { PAYEE, THIEF } from '../../../../tools/samples/challenge.ts';
import { NOON } from '../../../../tools/samples/store-receipts.ts';
import { indexParts, partServices } from './part-services.ts';

const idsOf = (services: readonly { readonly id: string }[] | undefined) => services?.map(({ id }) => id);

describe('services of a host and of a payee', () => {
  it('are found by host without port, and by every payee that a service has had', () => {
    const rotation = { to: THIEF, signed_on: '2026-11-01', signature: `0x${'ab'.repeat(65)}` };
    const { byHost, byPayee } = indexParts({
      services: [
        aService({ id: 'one', endpoint: 'https://a.example:8443/x', pay_to: PAYEE }),
        aService({
          id: 'two',
          endpoint: 'https://a.example/y',
          pay_to: PAYEE.toLowerCase(),
          payee_rotations: [rotation],
        }),
        aService({ id: 'three', endpoint: 'https://[2001:db8::1]/z' }),
      ],
    });
    expect([idsOf(byHost.get('a.example')), idsOf(byHost.get('[2001:db8::1]'))]).toEqual([
      ['one', 'two'],
      ['three'],
    ]);
    expect(idsOf(byPayee.get(PAYEE.toLowerCase()))).toEqual(['one', 'two']);
    expect(idsOf(byPayee.get(THIEF.toLowerCase()))).toEqual(['two']);
  });

  it('come with what paid calls found out, and no more than a page of them', async () => {
    const services = Array.from({ length: 60 }, (_, n) => aService({ id: `s-${n}` }));
    const asked: number[] = [];
    const found = await partServices(
      services,
      {
        async callsOf(ids) {
          asked.push(ids.length);
          return new Map([['s-7', [aCall({ quality: 'pass' }), aCall({ quality: 'fail' })]]]);
        },
      },
      NOON,
    );
    expect([asked, found.length]).toEqual([[50], 50]);
    expect(found[0]).toMatchObject({ service: { id: 's-7' }, gradedCalls: 2, passedCalls: 1 });
    expect(await partServices([], { callsOf: () => Promise.reject(new Error('not asked')) }, NOON)).toEqual(
      [],
    );
  });
});
