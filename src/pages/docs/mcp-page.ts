import { html } from 'hono/html';
import { type ClientSetup, clientSetups, type Setup } from '../../wire/mcp/client-setups.ts';
import { TOOL_WORDS } from '../../wire/mcp/tool-words.ts';
import type { Links } from '../../wire/responses/links.ts';
import { codeBlock } from '../frame/code-block.ts';
import { type Html, layout } from '../frame/layout.ts';

export interface McpPageParts {
  readonly links: Links;
  /** True if this service has a wallet. */
  readonly sells: boolean;
}

/** What a person sees at /mcp: how to add the server to a client, its tools, and how payment works. */
export async function mcpPage({ links: { base }, sells }: McpPageParts): Promise<string> {
  const setups = clientSetups(base);
  const body = html`<h1>MCP server</h1>
<p>This address is for MCP clients: add <code>${base}/mcp</code> to yours, and it can check and look up endpoints. Streamable HTTP, no account, no
key, no sessions. Without this service, <code>assay mcp</code> runs the same tools on your own
machine; <code>npm install --global .</code> in a checkout installs it.</p>
<nav aria-label="Clients">${setups.map(({ client }) => html`<a href="#${anchorOf(client)}">${client}</a> `)}</nav>
${setups.map(section)}
<h2 id="tools">Tools</h2>
<dl class="tools">
${toolsOf(sells).map(([name, sentence]) => html`<dt><code>${name}</code></dt><dd>${sentence}</dd>\n`)}</dl>
<h2 id="payment">Payment</h2>
${sells ? PAYMENT : NO_PAYMENT}
<p>For programs: <a href="/mcp/server-card">the server card</a>; <a href="/docs">all docs</a>.</p>`;
  const description = 'Add Assay to Claude Code, Claude Desktop, Cursor, VS Code or Windsurf.';
  return String(
    await layout({ title: 'MCP server', description, address: `${base}/mcp`, body, scripted: true }),
  );
}

/** Without a wallet there is no tool that only sells. */
function toolsOf(sells: boolean): readonly (readonly [name: string, sentence: string])[] {
  const { get_overnight_cos_pack: _, ...free } = TOOL_WORDS;
  return Object.entries(sells ? TOOL_WORDS : free);
}

function anchorOf(client: string): string {
  return client.toLowerCase().replaceAll(' ', '-');
}

function section({ client, remote, local }: ClientSetup): Html {
  return html`<h2 id="${anchorOf(client)}">${client}</h2>
<h3>This service</h3>
${setup(client, remote, 'this service')}
<h3>On your own machine</h3>
${setup(client, local, 'your own machine')}`;
}

function setup(client: string, { where, text }: Setup, what: string): Html {
  return html`<p>${where}:</p>
${codeBlock(text, `the set-up of ${client} for ${what}`)}`;
}

const PAYMENT = html`<p>Browsing, receipts, dry runs and the first calls of a day are free; <a href="/docs#limits">the limits</a>. After that a tool returns an error with
the x402 payment requirement. A client that can pay signs it and repeats the call with the payment in <code>_meta["x402/payment"]</code>, or in the header
<code>PAYMENT-SIGNATURE</code>. Other clients cannot pay: they show the price, and nothing is charged. <a href="/docs#paying">How to pay</a>.</p>`;

const NO_PAYMENT = html`<p>This service has no wallet, so nothing can be bought here: after the free calls of a day a tool returns an error until 00:00 UTC.
<a href="/docs#limits">The limits</a>.</p>`;
