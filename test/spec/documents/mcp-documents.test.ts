import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projectFile } from '../../../tools/project-file.ts';
import { useService } from '../../support/asking.ts';
import { post } from '../../support/mcp/mcp-asking.ts';
import { ALT_URL, BASE_URL } from '../../support/running/running-service.ts';

describe('what tells a client where the MCP server is', () => {
  const service = useService({});

  it.each(['/mcp/server-card', '/.well-known/mcp/server-card.json', '/.well-known/mcp.json'])(
    '%s is the card',
    async (path) => {
      const { status, header, json } = await service.ask(path);
      expect([status, header('content-type')]).toEqual([200, 'application/mcp-server-card+json']);
      expect(header('access-control-allow-origin')).toBe('*');
      expect(json).toMatchObject({
        name: 'org.example.assay/assay',
        title: 'Assay',
        version: '0.16.1',
        remotes: [{ type: 'streamable-http', url: `${BASE_URL}/mcp` }],
      });
      expect(json.description.length).toBeLessThanOrEqual(100);
      expect(Object.keys(json)).not.toContain('tools');
    },
  );

  it('names the address that the caller used (G80)', async () => {
    const { json } = await service.ask('/mcp/server-card', { headers: { host: 'alt.example.org' } });
    expect(json.remotes[0].url).toBe(`${ALT_URL}/mcp`);
  });

  it('names no revision that is not answered', async () => {
    const { json } = await service.ask('/mcp/server-card');
    const [newest, ...older] = json.remotes[0].supportedProtocolVersions;
    const refused = await post(
      service.ask,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { headers: { 'mcp-protocol-version': '1999-01-01' } },
    );
    for (const version of older) expect(refused.json.error.message).toContain(version);
    expect(newest).toBe('2026-07-28');
  });

  it('the AI catalog points at the card', async () => {
    const { header, json } = await service.ask('/.well-known/ai-catalog.json');
    expect(header('content-type')).toBe('application/ai-catalog+json');
    expect(json.entries).toEqual([
      expect.objectContaining({
        identifier: 'urn:air:assay.example.org:mcp:assay',
        type: 'application/mcp-server-card+json',
        url: `${BASE_URL}/mcp/server-card`,
      }),
    ]);
  });
});

describe('server.json, for the registry', () => {
  const read = (name: string) => JSON.parse(readFileSync(projectFile(`${name}`), 'utf8'));

  it('has the versions of the interface and of the package', () => {
    const { name: registered, version, packages, description } = read('server.json');
    const { version: packaged, name, mcpName } = read('package.json');
    expect([version, packages[0].version, packages[0].identifier]).toEqual(['0.16.1', packaged, name]);
    // The registry compares it, so that nobody registers the package of another.
    expect(mcpName).toBe(registered);
    expect(description.length).toBeLessThanOrEqual(100);
  });
});
