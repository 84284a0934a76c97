import { html } from 'hono/html';
import type { Links } from '../../wire/responses/links.ts';

/** The permanent pages; receipts are reached from the lists. */
export async function sitemap({ base, skips, receipts, tasks, openapi }: Links): Promise<string> {
  const pages = [
    `${base}/`,
    skips,
    `${base}/catalog`,
    `${base}/method`,
    `${base}/docs`,
    `${base}/sellers`,
    receipts,
    tasks,
    `${base}/corrections`,
    `${base}/problems`,
    `${base}/prober`,
    `${base}/llms.txt`,
    openapi,
  ];
  // The template escapes for XML as well as for HTML.
  return String(
    await html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map((page) => html`<url><loc>${page}</loc></url>\n`)}</urlset>
`,
  );
}
