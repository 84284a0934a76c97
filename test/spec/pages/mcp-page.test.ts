import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/mcp/tools.ts';
import { clientSetups } from '../../../src/wire/mcp/client-setups.ts';
import { TOOL_WORDS } from '../../../src/wire/mcp/tool-words.ts';
import { projectFile } from '../../../tools/project-file.ts';
import { useService } from '../../support/asking.ts';
import { BROWSER } from '../../support/pages.ts';
import { ALT_URL, BASE_URL } from '../../support/running/running-service.ts';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

describe('/mcp in a browser', () => {
  const service = useService({});
  const poor = useService({ settings: { PAY_TO: '' } });

  it.each(['GET', 'HEAD'])('%s is a page', async (method) => {
    const { status, header } = await service.ask('/mcp', { method, headers: BROWSER });
    expect([status, header('content-type'), header('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ]);
  });

  it('has a set-up for every client, with the address that the caller used', async () => {
    const { text } = await service.ask('/mcp', { headers: BROWSER });
    const alternative = await service.ask('/mcp', { headers: { ...BROWSER, host: 'alt.example.org' } });
    expect(clientSetups(BASE_URL).map(({ client }) => client)).toEqual([
      'Claude Code',
      'Claude Desktop',
      'Cursor',
      'VS Code',
      'Windsurf',
    ]);
    for (const { remote, local } of clientSetups(BASE_URL)) {
      expect(text).toContain(escaped(remote.text));
      expect(text).toContain(escaped(local.text));
    }
    expect(alternative.text).toContain(`${ALT_URL}/mcp`);
  });

  it('lists every tool once, with a sentence', async () => {
    const { text } = await service.ask('/mcp', { headers: BROWSER });
    expect(Object.keys(TOOL_WORDS)).toEqual(TOOLS.map(({ name }) => name));
    for (const sentence of Object.values(TOOL_WORDS)) {
      expect(sentence).toMatch(/^[A-Z].{20,110}\.$/);
      expect(text).toContain(escaped(sentence));
    }
  });

  it('says how payment works, and when nothing can be paid', async () => {
    expect((await service.ask('/mcp', { headers: BROWSER })).text).toContain('x402/payment');
    const { text } = await poor.ask('/mcp', { headers: BROWSER });
    expect(text).toContain('This service has no wallet');
    expect(text).not.toContain('x402/payment');
    expect(text).not.toContain('get_overnight_cos_pack');
  });

  it.each([
    ['an MCP client', 'GET', { accept: 'text/event-stream' }],
    ['an older MCP client', 'GET', { accept: 'application/json, text/event-stream' }],
    ['a program', 'GET', {}],
    ['a browser that deletes', 'DELETE', BROWSER],
  ])('%s keeps its 405', async (_, method, headers) => {
    const { status, header, json } = await service.ask('/mcp', { method, headers });
    expect([status, header('allow'), json.error.message]).toEqual([
      405,
      'POST, OPTIONS',
      'Send JSON-RPC messages by POST; there are no streams and no sessions.',
    ]);
  });
});

describe('docs/mcp.md', () => {
  const document = readFileSync(projectFile('docs/mcp.md'), 'utf8');

  it.each(clientSetups('https://assay.example.com').map((setup) => [setup.client, setup] as const))(
    'has the set-up of %s',
    (_, { remote, local }) => {
      for (const { where, text } of [remote, local]) {
        expect(document).toContain(where);
        expect(document).toContain(`\n${text}\n\`\`\``);
      }
    },
  );
});
