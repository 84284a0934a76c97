import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFile } from '../../../tools/project-file.ts';

/** The program itself, as an agent on this machine starts it. */
const PROGRAM = projectFile('dist/bundle/node/assay.js');
const NO_NAMES = projectFile('test/support/mcp/no-names.cjs');

async function connect(dataDir: string, ...options: string[]): Promise<Client> {
  return connectWith({ DATA_DIR: dataDir }, ...options);
}

async function connectWith(
  env: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<Client> {
  const client = new Client({ name: 'a-local-agent', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', ...options],
      env: { ...env, PATH: process.env['PATH'] ?? '' },
      stderr: 'ignore',
    }),
  );
  return client;
}

describe('assay mcp', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-mcp-'));
  const asked: string[] = [];
  const keys: string[] = [];
  const answers = { up: true };
  let remote: Server;

  beforeAll(async () => {
    remote = createServer((request, response): void => {
      if (!answers.up) {
        request.socket.destroy();
        return;
      }
      asked.push(`${request.url} ${request.headers['payment-signature'] ?? 'unpaid'}`);
      keys.push(request.headers.authorization ?? 'none');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ count: 0, results: [], from: 'afar' }));
    });
    await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    remote.close();
    rmSync(dataDir, { recursive: true });
  });

  it('answers everything from here without a service', async () => {
    const client = await connect(dataDir);
    try {
      const { tools } = await client.listTools();
      // Without a wallet there is no pack to buy (G66).
      expect(tools).toHaveLength(5);
      expect(JSON.stringify(tools)).not.toMatch(/per UTC day|times a day|USDC per call/);
      await expect(client.callTool({ name: 'get_overnight_cos_pack', arguments: {} })).rejects.toThrow(
        /Unknown tool/,
      );
      const found = await client.callTool({ name: 'search_catalog', arguments: { limit: 1 } });
      expect(found.structuredContent).toMatchObject({ count: 1 });
      const looked = await client.callTool({ name: 'lookup', arguments: { task: 'weather' } });
      expect(looked.structuredContent).toMatchObject({ access: { tier: 'exempt' } });
      const blocked = await client.callTool({
        name: 'endpoint_spot_check',
        arguments: { url: 'http://127.0.0.1:1/' },
      });
      expect([blocked.isError, blocked.structuredContent]).toMatchObject([true, { code: 'ssrf_blocked' }]);
    } finally {
      await client.close();
    }
  });

  it('keeps its state with its user, counts nothing, and links to nobody', async () => {
    const home = mkdtempSync(join(dataDir, 'home-'));
    const project = mkdtempSync(join(dataDir, 'project-'));
    // Names that belong to another program, as an agent's project has them.
    const others = { PORT: 'x', BASE_URL: 'https://app.example', DATABASE_URL: 'postgres://127.0.0.1:1/app' };
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_DATA_HOME: '', ...others };
    const client = new Client({ name: 'a-local-agent', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['--require', NO_NAMES, PROGRAM, 'mcp'],
        env,
        cwd: project,
        stderr: 'ignore',
      }),
    );
    try {
      for (let call = 0; call < 7; call += 1) {
        const { isError, structuredContent } = await client.callTool({
          name: 'lookup',
          arguments: { task: 'weather' },
        });
        expect([isError ?? false, structuredContent]).toMatchObject([false, { access: { tier: 'exempt' } }]);
        expect(JSON.stringify(structuredContent)).not.toMatch(/127\.0\.0\.1|app\.example|assay\.invalid/);
      }
      const url = 'http://no-such-name.invalid/x';
      const { structuredContent } = await client.callTool({
        name: 'endpoint_spot_check',
        arguments: { url },
      });
      expect(structuredContent).toMatchObject({
        verdict: 'recheck',
        receipt_url: expect.stringMatching(/^assay receipt --local sc-[0-9a-f]{16}$/),
      });
      const id = Object.entries(structuredContent ?? {}).find(([name]) => name === 'receipt_id')?.[1];
      const shown = spawnSync(process.execPath, [PROGRAM, 'receipt', '--local', String(id)], {
        env,
        cwd: project,
        encoding: 'utf8',
      });
      expect([shown.status, shown.stderr]).toEqual([3, '']);
      expect(shown.stdout).toContain(`  receipt   assay receipt --local ${id}\n`);
    } finally {
      await client.close();
    }
    expect([readdirSync(project), readdirSync(join(home, '.local', 'share', 'assay'))]).toEqual([
      [],
      expect.arrayContaining(['assay.db', 'secret']),
    ]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['set beside it is sent', {}, 'Bearer secret-1'],
    ['of another service is not sent', { ASSAY_SERVER: 'https://mine.example' }, 'none'],
  ])('a key %s', async (_, env, sent) => {
    const address = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`;
    const client = await connectWith(
      { DATA_DIR: dataDir, ASSAY_KEY: 'secret-1', ...env },
      '--server',
      address,
    );
    try {
      await client.callTool({ name: 'lookup', arguments: { task: 'weather' } });
      expect(keys.at(-1)).toBe(sent);
    } finally {
      asked.splice(0);
      await client.close();
    }
  });

  it('says why, where and what to do when it has no place for its state', async () => {
    const client = await connect('/dev/null/x');
    try {
      const { isError, structuredContent } = await client.callTool({
        name: 'lookup',
        arguments: { task: 'weather' },
      });
      expect([isError, structuredContent]).toMatchObject([
        true,
        {
          code: 'store_unavailable',
          detail: expect.stringMatching(
            /^cannot open the database file \/dev\/null\/x\/assay\.db: .*\. Make \/dev\/null\/x writable, or set DATA_DIR to another folder\.$/,
          ),
        },
      ]);
    } finally {
      await client.close();
    }
  });

  it('answers what it was asked before its input ended', async () => {
    const program = spawn(process.execPath, [PROGRAM, 'mcp'], {
      env: { DATA_DIR: dataDir, PATH: process.env['PATH'] ?? '' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const call = { name: 'search_catalog', arguments: { limit: 1 } };
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call },
    ];
    // The last line has no end.
    program.stdin.end(messages.map((message) => JSON.stringify(message)).join('\n{\n[]\n'));
    const told = (await textOf(program.stdout))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(told.map(({ id, error }) => id ?? error.code)).toEqual([-32_700, -32_600, 1, 2]);
    expect(told[3].result.structuredContent).toMatchObject({ count: 1 });
  });

  it('ends and says so when nobody reads its answers', async () => {
    const program = spawn(process.execPath, [PROGRAM, 'mcp'], {
      env: { DATA_DIR: dataDir, PATH: process.env['PATH'] ?? '' },
    });
    program.stdout.destroy();
    program.stdin.write('{\n{\n');
    const said = await textOf(program.stderr);
    expect([program.exitCode ?? (await once(program, 'exit'))[0], said]).toEqual([
      1,
      'assay: the connection to the MCP client is closed\n',
    ]);
  });

  it('has a service answer, and stands in for it where that costs nothing', async () => {
    // It listens on a port, so its address is none of a file.
    const { port } = remote.address() as AddressInfo;
    const client = await connect(dataDir, '--server', `http://127.0.0.1:${port}/`);
    try {
      const meta = { 'x402/payment': 'a-signed-payment' };
      const afar = await client.callTool({
        name: 'search_catalog',
        arguments: { query: 'a b' },
        _meta: meta,
      });
      expect(afar.structuredContent).toMatchObject({ from: 'afar' });
      expect(asked).toEqual(['/v1/services?query=a+b a-signed-payment']);
      answers.up = false;
      const open = await client.callTool({ name: 'lookup', arguments: { task: 'weather' }, _meta: meta });
      expect([open.isError, open.structuredContent]).toMatchObject([true, { code: 'settlement_pending' }]);
      const receipt = await client.callTool({
        name: 'get_receipt',
        arguments: { id: 'sc-0000000000000000' },
      });
      expect(receipt.structuredContent).toMatchObject({ code: 'service_unreachable' });
      const here = await client.callTool({ name: 'search_catalog', arguments: { limit: 1 } });
      expect(here.structuredContent).toMatchObject({ count: 1 });
      const sold = await client.callTool({ name: 'lookup', arguments: { task: 'weather' } });
      expect([sold.isError, sold.structuredContent]).toMatchObject([true, { code: 'service_unreachable' }]);
    } finally {
      await client.close();
    }
  });
});
