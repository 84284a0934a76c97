import { describe, expect, it } from 'vitest';
import { aCall, aService } from '../../../tools/samples/catalog.ts';
import { rankServices } from '../../core/catalog/rank-services.ts';
import { bestServices } from './best-services.ts';

const rankingOf = (
  services: readonly { readonly id: string; readonly calls: number; readonly name?: string }[],
) =>
  rankServices(
    services.map(({ id, calls, name = id }) => ({
      service: aService({ id, name }),
      calls: Array.from({ length: calls }, () => aCall()),
    })),
    { n: 20, limit: 9, now: new Date('2026-11-15T12:00:00.000Z') },
  ).ranked;

describe('the best services, for another page', () => {
  it('are links with the numbers behind them, best first', async () => {
    const ranked = rankingOf([
      { id: 'few', calls: 3 },
      { id: 'many', calls: 20 },
      { id: 'two', calls: 2 },
    ]);
    const shown = String(await bestServices(ranked, 5));
    expect([...shown.matchAll(/href="\/v1\/services\/([a-z]+)"/g)].map(([, id]) => id)).toEqual([
      'many',
      'few',
    ]);
    expect(shown).toContain('20 of 20,');
    expect(shown).toContain('84–100\u00a0%');
  });

  it('clean what strangers wrote', async () => {
    const shown = String(await bestServices(rankingOf([{ id: 'x', calls: 3, name: '<b>\u202ex' }]), 5));
    expect(shown).toContain('<bdi>&lt;b&gt;\ufffdx</bdi>');
  });

  it('are nothing while no service passes', () => {
    expect(bestServices(rankingOf([{ id: 'two', calls: 2 }]), 5)).toBe('');
  });
});
