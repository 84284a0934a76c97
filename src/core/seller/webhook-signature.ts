import { createHmac } from 'node:crypto';

/** The key of one watch, derived so that it need not be stored. */
export function webhookKey(watchId: string, secret: string): string {
  return createHmac('sha256', secret).update(`assay webhook ${watchId}`).digest('hex');
}

/** Headers that let the receiver know that we sent this body, and when. */
export function webhookHeaders(body: string, key: string, now: Date): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signature = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  return {
    'content-type': 'application/json',
    'assay-timestamp': timestamp,
    'assay-signature': `v1=${signature}`,
  };
}
