import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** What every page shares. The stylesheet is a file of its own, so that no page needs inline style or script. */
export function layout({ title, body }: { readonly title: string; readonly body: Html }): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Assay</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><a href="/">Assay</a> <nav aria-label="Site"><a href="/v1/skips">Skips</a> <a href="/openapi.json">API</a></nav></header>
<main>
${body}
</main>
<footer><p>Payment buys access to an answer and never changes one. Assay never pays the endpoint it checks, gives no
investment advice and holds no customer funds.</p></footer>
</body>
</html>
`;
}
