import {
  AI_CATALOG_PATH,
  AI_CATALOG_TYPE,
  aiCatalog,
  mcpServerCard,
  SERVER_CARD_PATHS,
  SERVER_CARD_TYPE,
} from '../../wire/mcp/server-card.ts';
import type { Routes } from '../app.ts';
import { answerRendered, type Handler, rendered } from '../exchange/answer.ts';
import { FOR_FIVE_MINUTES } from '../exchange/caching.ts';

/** Discovery documents of the MCP server (gap G84). */
export function mcpDocuments(): Routes {
  const card = document(mcpServerCard, SERVER_CARD_TYPE);
  return {
    ...Object.fromEntries(SERVER_CARD_PATHS.map((path) => [path, { GET: card }])),
    [AI_CATALOG_PATH]: { GET: document(aiCatalog, AI_CATALOG_TYPE) },
  };
}

function document(make: (base: string) => object, type: string): Handler {
  return (exchange) =>
    answerRendered(exchange, rendered(JSON.stringify(make(exchange.links.base)), type, FOR_FIVE_MINUTES));
}
