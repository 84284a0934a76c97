import { html } from 'hono/html';
import { INTERFACE_VERSION } from '../core/interface-version.ts';

/** Says what this build serves and nothing more. */
export function frontPage({ version }: { readonly version: string }) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay: ask before you pay</title>
</head>
<body>
<h1>Assay</h1>
<p>The service an agent asks before it pays an x402 endpoint.</p>
<p>This build, ${version}, holds the decisions of the service (interface ${INTERFACE_VERSION}) and not yet its routes.
It answers this page and <a href="/healthz">/healthz</a>.</p>
</body>
</html>
`;
}
