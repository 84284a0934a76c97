import { WEBHOOK_ANSWER_MAX_BYTES } from '../../core/seller/seller-limits.ts';
import type { SendWebhook } from '../../ports/seller.ts';
import { createGatedFetch, type GatedFetchParts } from './gated-fetch.ts';

/** Any 2xx is a delivery. A redirect, a blocked address and an answer without an end are failures. */
export function createSendWebhook(parts: Omit<GatedFetchParts, 'maxBytes'>): SendWebhook {
  const post = createGatedFetch({ ...parts, maxBytes: WEBHOOK_ANSWER_MAX_BYTES });
  return async ({ url, body, headers }) => {
    try {
      const { status } = await post(url, { method: 'POST', body, headers });
      return status >= 200 && status <= 299 ? 'delivered' : 'failed';
    } catch {
      return 'failed';
    }
  };
}
