import { LOOKUP, SPOT_CHECK } from '../../wire/payment/paid-routes.ts';
import type { Links } from '../../wire/responses/links.ts';
import { CHECK_PATH } from '../front/check-form.ts';

/** Robots may read everything except queries that would use a free call or send a probe. */
export function robotsText({ base }: Links): string {
  return [
    'User-agent: *',
    `Disallow: ${LOOKUP.path}?`,
    `Disallow: ${SPOT_CHECK.path}?`,
    `Disallow: ${CHECK_PATH}`,
    'Allow: /',
    '',
    `Sitemap: ${base}/sitemap.xml`,
    '',
  ].join('\n');
}
