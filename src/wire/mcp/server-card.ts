import { INTERFACE_VERSION } from '../../core/interface-version.ts';

/** Revisions of MCP that /mcp speaks, newest first. */
export const MCP_REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
export const AI_CATALOG_TYPE = 'application/ai-catalog+json';
/** Well-known paths, the registered one first. */
export const SERVER_CARD_PATHS = [
  '/mcp/server-card',
  '/.well-known/mcp/server-card.json',
  '/.well-known/mcp.json',
] as const;
export const AI_CATALOG_PATH = '/.well-known/ai-catalog.json';

const TITLE = 'Assay';
/** At most a hundred characters, the limit of the card. */
const MCP_DESCRIPTION =
  'Checks an x402 endpoint before you pay it, and ranks services by known-answer tests.';

/** What a client reads before it connects. Without tools: a second list could get out of date. */
export function mcpServerCard(base: string) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reversed(new URL(base).hostname)}/assay`,
    title: TITLE,
    description: MCP_DESCRIPTION,
    version: INTERFACE_VERSION,
    websiteUrl: base,
    remotes: [{ type: 'streamable-http', url: `${base}/mcp`, supportedProtocolVersions: [...MCP_REVISIONS] }],
  };
}

export function aiCatalog(base: string) {
  const { hostname } = new URL(base);
  return {
    specVersion: '1.0',
    host: { displayName: TITLE },
    entries: [
      {
        identifier: `urn:air:${hostname}:mcp:assay`,
        displayName: TITLE,
        description: MCP_DESCRIPTION,
        type: SERVER_CARD_TYPE,
        url: base + SERVER_CARD_PATHS[0],
      },
    ],
  };
}

/** Reverse-domain namespace of the host; an IP address has none. */
function reversed(hostname: string): string {
  return /[a-z]$/i.test(hostname)
    ? hostname.split('.').reverse().join('.')
    : hostname.replace(/[[\]]/g, '').replaceAll(':', '-');
}
