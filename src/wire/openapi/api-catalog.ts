import { SERVER_CARD_PATHS, SERVER_CARD_TYPE } from '../mcp/server-card.ts';
import type { Links } from '../responses/links.ts';

/** Where the descriptions of the API are, as a linkset (RFC 9727). */
export function apiCatalog({ base, openapi }: Links) {
  return {
    linkset: [
      { anchor: `${base}${API_CATALOG_PATH}`, item: [{ href: base }] },
      {
        anchor: base,
        'service-desc': [{ href: openapi, type: 'application/json' }],
        'service-doc': [
          { href: `${base}/llms.txt`, type: 'text/plain' },
          { href: `${base}/`, type: 'text/html' },
        ],
        status: [{ href: `${base}/healthz`, type: 'application/json' }],
      },
      {
        anchor: `${base}/mcp`,
        'service-desc': [{ href: base + SERVER_CARD_PATHS[0], type: SERVER_CARD_TYPE }],
        'service-doc': [{ href: `${base}/llms.txt`, type: 'text/plain' }],
      },
    ],
  };
}

export const API_CATALOG_PATH = '/.well-known/api-catalog';

/** The profile distinguishes a catalog from other linksets. */
export const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
