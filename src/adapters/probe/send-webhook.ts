import { WEBHOOK_ANSWER_MAX_BYTES } from '../../core/seller/seller-limits.ts';
import type { SendWebhook } from '../../ports/seller.ts';
import type { GatedFetch, GatedFetchParts } from './gated-fetch.ts';

/** Any 2xx is a delivery. A redirect, a blocked address and an answer without an end are failures. */
export function createSendWebhook(parts: Omit<GatedFetchParts, 'maxBytes'>): SendWebhook {
  let loaded: Promise<GatedFetch> | null = null;
  const load = async () => {
    const { createGatedFetch } = await import('./gated-fetch.ts');
    return createGatedFetch({ ...parts, maxBytes: WEBHOOK_ANSWER_MAX_BYTES });
  };
  return async ({ url, body, headers }) => {
    try {
      loaded ??= load();
      const post = await loaded;
      const { status } = await post(url, { method: 'POST', body, headers });
      return status >= 200 && status <= 299 ? 'delivered' : 'failed';
    } catch {
      return 'failed';
    }
  };
}
