import { describe, expect, it } from 'vitest';
import { webhookRetryMs } from './webhook-schedule.ts';
import { webhookHeaders, webhookKey } from './webhook-signature.ts';

describe('a webhook', () => {
  it('is tried again after 1 and 5 minutes, half an hour, 2 and 12 hours, and then given up', () => {
    const minutes = [1, 2, 3, 4, 5, 6].map((failed) => {
      const ms = webhookRetryMs(failed);
      return ms === null ? null : ms / 60_000;
    });
    expect(minutes).toEqual([1, 5, 30, 120, 720, null]);
  });

  it('is signed with a key of its watch', () => {
    const key = webhookKey('watch-1', 'a secret');
    expect(key).toBe('c190b9a10823c2cb052dde6a2b4269eb66c82ceb0292011d2e1b52596e5944f6');
    expect(webhookKey('watch-2', 'a secret')).not.toBe(key);
    expect(webhookKey('watch-1', 'another')).not.toBe(key);
    const headers = webhookHeaders('{}', 'k', new Date('2026-11-15T12:00:00.999Z'));
    expect(headers).toEqual({
      'content-type': 'application/json',
      'assay-timestamp': '1794744000',
      'assay-signature': 'v1=3cd6b38a3aa0be7c8e9310c6de7d785f5be40bc2fa4ca53a50cb0ba641f7272d',
    });
  });
});
