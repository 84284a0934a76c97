import { describe, expect, it } from 'vitest';
import { STEPS } from '../../lab/chaos/faults.ts';
import { reportOf } from '../../lab/chaos/report.ts';
import { runChaos } from '../../lab/chaos/run-chaos.ts';

/** A short round of `npm run chaos`: real processes, which `npm test` has built. A loaded machine takes long over it. */
describe('a service that is killed again and again under correct clients', () => {
  it('keeps every promise about money, receipts and free uses', { timeout: 600_000 }, async () => {
    const result = await runChaos({
      store: 'sqlite',
      seed: 1,
      kills: 9,
      minutes: 0.4,
      lanes: 4,
      idle: 200,
      slow: ['slow headers'],
      workers: false,
      say: () => {},
    });
    const report = reportOf(result);
    expect(report.violations).toEqual([]);
    // It went through something: a round without trouble or without purchases would prove nothing.
    expect(report.kills).toBeGreaterThanOrEqual(9);
    expect(Object.keys(report.kills_by_step).length).toBeGreaterThanOrEqual(STEPS.length / 2);
    expect(report.transfers).toBeGreaterThan(0);
    expect(report.connections['held at most']).toBe(200);
    expect(report.requests['2xx']).toBeGreaterThan(0);
  });
});
