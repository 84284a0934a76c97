import { html } from 'hono/html';
import type { Links } from '../../wire/responses/links.ts';
import type { ServiceJson } from '../../wire/responses/service-response.ts';
import { ACCENT, card, type Fact, line, MARGIN, sentences } from './card-frame.ts';
import { shownHost } from './shown-host.ts';

/** The picture of a service of the catalog: what our own paid calls show. */
export function serviceCard(service: ServiceJson, links: Pick<Links, 'base'>): Promise<string> {
  const { id, endpoint } = service;
  const { large, words } = resultOf(service);
  return card({
    tone: null,
    aside: shownHost(links.base),
    body: html`${line(id, { x: MARGIN, y: 192, size: 60, face: 'bold' })}${line(shownHost(endpoint), { x: MARGIN, y: 244, size: 34 })}${line(large, { x: MARGIN, y: 390, size: 130, face: 'bold', fill: ACCENT })}${sentences([words], { y: 444, size: 32 })}`,
    facts: factsOf(service),
  });
}

/** The rate of few calls says little, so the counts are shown. */
function resultOf({ passed_receipts, graded_receipts, receipts_considered }: ServiceJson) {
  if (graded_receipts > 0) {
    const words = 'known-answer calls passed, each paid with our own money.';
    return { large: `${passed_receipts} of ${graded_receipts}`, words };
  }
  if (receipts_considered > 0)
    return { large: `${receipts_considered} calls`, words: 'paid with our own money, and not graded.' };
  return { large: 'not called yet', words: 'We have not paid for a call of this service.' };
}

function factsOf({ price_usd, last_check, newest_receipt_at }: ServiceJson): readonly Fact[] {
  return [
    { name: 'Listed price', value: `$${price_usd}` },
    {
      name: 'Asks',
      value: last_check?.quoted_price_usd == null ? 'no price' : `$${last_check.quoted_price_usd}`,
    },
    { name: 'Last paid call', value: newest_receipt_at?.slice(0, 10) ?? 'none' },
    { name: 'Last unpaid check', value: last_check?.checked_at.slice(0, 10) ?? 'none' },
  ];
}
