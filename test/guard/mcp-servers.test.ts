import { StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { type GuardTransportOptions, guardTransport } from '../../src/guard/mcp/guard-transport.ts';
import { commandUrl } from '../../src/guard/mcp/tool-url.ts';
import { ENTRY } from '../../tools/samples/challenge.ts';
import { codeOf, guardWith, RESULT, sells, v2 } from '../support/guarding/mcp/paid-tools.ts';
import { scriptedClient } from '../support/guarding/mcp/scripted-mcp-client.ts';
import {
  type Json,
  type ScriptedServer,
  scriptedServer,
} from '../support/guarding/mcp/scripted-mcp-server.ts';

describe('the address of a server', () => {
  const urlOf = async (wrap: (transport: Json) => Json): Promise<string | undefined> => {
    const server = scriptedServer(sells(v2(ENTRY)));
    const guard = guardWith();
    const guarded = guardTransport(wrap(server.transport), guard);
    await new Promise((resolve) => {
      guarded.onmessage = resolve;
      guarded.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a/b c' } });
    });
    return (await guard.purchases())[0]?.url;
  };

  it.each<[string, unknown, string]>([
    [
      'its transport has',
      new URL('https://seller.example/mcp/?a=1'),
      'https://seller.example/mcp/tools/a%2Fb%20c?a=1',
    ],
    ['is a socket', 'wss://seller.example/mcp', 'https://seller.example/mcp/tools/a%2Fb%20c'],
  ])('that %s', async (_, _url, url) => {
    expect(await urlOf((transport) => Object.assign(transport, { _url }))).toBe(url);
  });

  it.each<[string, object]>([
    ['is nothing of the web', { _url: 'file:///bin/sh' }],
    ['is unknown', {}],
  ])('that %s must be given', (_, members) => {
    const { transport } = scriptedServer(() => 'lost');
    expect(() => guardTransport(Object.assign(transport, members), guardWith())).toThrow(
      'guard: the transport does not say which server it reaches; name it in server',
    );
  });

  it('that is a process is one for each command line, in either line of the SDK', async () => {
    const urls = [];
    for (const args of [['a.js'], ['b.js']]) {
      for (const Transport of [NewStdio, OldStdio]) {
        const { _serverParams } = new Transport({ command: 'node', args }) as Json;
        urls.push(await urlOf((transport) => Object.assign(transport, { _serverParams })));
      }
    }
    expect(urls).toEqual([
      ...Array.from({ length: 2 }, () => `${commandUrl(['node', 'a.js']).href}/tools/a%2Fb%20c`),
      ...Array.from({ length: 2 }, () => `${commandUrl(['node', 'b.js']).href}/tools/a%2Fb%20c`),
    ]);
    expect(new Set(urls).size).toBe(2);
    expect(urls[0]).toMatch(/^http:\/\/stdio\.invalid\/[0-9a-f]{8}\/tools\//);
  });

  it('that is given wins, and must be one', () => {
    const { transport } = scriptedServer(() => 'lost');
    expect(() => guardTransport(transport, guardWith(), { server: 'seller' })).toThrow(
      'guard: server is not an http or https URL',
    );
  });

  it('is found in the transport of the SDK', () => {
    const transport = new OldHttp(new URL('https://seller.example/mcp'));
    expect(Reflect.get(transport, '_url')).toEqual(new URL('https://seller.example/mcp'));
  });
});

/** Members of its transport, and what is said of it to the guard. */
type Client = readonly [object, GuardTransportOptions];

describe('who the client is to a server', () => {
  const url = new URL('https://seller.example/mcp');
  const asking = (requestInit: RequestInit) => [
    Reflect.get(new NewHttp(url, { requestInit }), '_requestInit'),
    Reflect.get(new OldHttp(url, { requestInit }), '_requestInit'),
  ];
  const [ofAlice, alsoOfAlice] = asking({ headers: { Authorization: 'alice' } });
  const [ofBob] = asking({ headers: new Headers({ authorization: 'bob' }) });

  it.each<[string, Client, Client, boolean]>([
    ['the same header', [{ _requestInit: ofAlice }, {}], [{ _requestInit: alsoOfAlice }, {}], true],
    ['another header', [{ _requestInit: ofAlice }, {}], [{ _requestInit: ofBob }, {}], false],
    ['the same account', [{}, { account: 'Zoë' }], [{}, { account: 'Zoë' }], true],
    ['another account', [{}, { account: 'Zoë' }], [{}, { account: 'Noë' }], false],
  ])('with %s', async (_, first, second, isSame) => {
    const guard = guardWith();
    const failing = scriptedServer(sells(v2(ENTRY), () => ({ error: { code: -32_603, message: 'no' } })));
    const working = scriptedServer(sells(v2(ENTRY)));
    const buy = ({ transport }: ScriptedServer, [members, options]: Client) => {
      const given = { server: url.href, ...options };
      return scriptedClient(guardTransport(Object.assign(transport, members), guard, given)).buy('lookup');
    };
    await buy(failing, first);
    const answer = await buy(working, second);
    expect([failing.payments(), working.payments()]).toEqual([1, isSame ? 1 : 0]);
    if (isSame) expect(answer.result).toEqual(RESULT);
    else expect(codeOf(answer)).toBe('bought_already');
  });
});
