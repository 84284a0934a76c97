import { Client as NewClient, InMemoryTransport as NewPair } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as OldPair } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, it } from 'vitest';
import { guardTransport } from '../../src/guard/mcp/guard-transport.ts';
import { ENTRY } from '../../tools/samples/challenge.ts';
import { connect, everywhere, guardWith, RESULT, sells, v2 } from '../support/guarding/mcp/paid-tools.ts';
import { type Json, scriptedServer } from '../support/guarding/mcp/scripted-mcp-server.ts';

const SERVER = { server: 'https://seller.example/mcp' };

describe('everything but a paid tool call passes through', () => {
  it('members that the guard does not know, with the transport as their owner', async () => {
    const { transport } = scriptedServer(() => 'lost');
    const guarded = guardTransport(transport, guardWith(), SERVER);
    await guarded.start();
    guarded.setProtocolVersion('2025-11-25');
    guarded.sessionId = 'session-2';
    expect([transport.isStarted, guarded.isStarted, transport.sessionId]).toEqual([true, true, 'session-2']);
    expect([transport.versions, guarded instanceof transport.constructor]).toEqual([['2025-11-25'], true]);
  });

  it('listeners that were there before are kept for the client to find', async () => {
    const { transport, push } = scriptedServer(() => 'lost');
    const heard: unknown[] = [];
    transport.onmessage = (message) => heard.push(message);
    transport.onerror = (error) => heard.push(error.message);
    guardTransport(transport, guardWith(), SERVER);
    push({ jsonrpc: '2.0', method: 'notifications/message' });
    transport.onerror(new Error('a fault'));
    expect(heard).toEqual([{ jsonrpc: '2.0', method: 'notifications/message' }, 'a fault']);
  });

  it('other requests, with the very message and its options', async () => {
    const server = scriptedServer(({ message }) => ({ result: { echo: message.method } }));
    const { ask } = connect(server);
    const options = { headers: { a: 'b' } };
    const answer = await ask({ method: 'tools/list', params: { _meta: { progressToken: 1 } } }, options);
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: { echo: 'tools/list' } });
    expect(server.seen).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: { progressToken: 1 } } },
    ]);
    expect(server.options[0]).toBe(options);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['a result', { result: RESULT }],
    ['an error of the tool', { result: { isError: true, content: [{ type: 'text', text: 'no' }] } }],
    ['an error of the server', { error: { code: -32_602, message: 'no such tool', data: { a: 1 } } }],
    ['a challenge as data', { result: { content: [], structuredContent: v2(ENTRY) } }],
    [
      'a price that could not be made',
      { result: { isError: true, content: [], _meta: { 'x402/error': {} } } },
    ],
    ['nothing of the protocol', { result: 'text', error: null, more: [1] }],
  ])('%s of a free tool', async (_, answer) => {
    const server = scriptedServer(() => answer);
    const { call, guard } = connect(server);
    expect(await call('lookup', { a: 1 })).toEqual({ jsonrpc: '2.0', id: 1, ...answer });
    expect(server.seen).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'lookup', arguments: { a: 1 } } },
    ]);
    expect(await guard.purchases()).toEqual([]);
  });

  it('progress, and what the server itself asks for', async () => {
    const server = scriptedServer(() => 'lost');
    const { call, received, transport } = connect(server);
    const answer = call('lookup');
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1 } };
    const request = { jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} };
    server.push(progress);
    server.push(request);
    const reply = { jsonrpc: '2.0', id: 1, result: {} };
    await transport.send(reply);
    await expect.poll(() => server.seen).toHaveLength(2);
    server.push({ jsonrpc: '2.0', id: 1, result: RESULT });
    await answer;
    expect(received.slice(0, 2)).toEqual([progress, request]);
    expect(server.seen).toContainEqual(reply);
  });

  it('a fault of the transport, to whoever sends', async () => {
    const server = scriptedServer(() => 'refused');
    const { call, ask } = connect(server);
    await expect(call('lookup')).rejects.toThrow('fetch failed');
    await expect(ask({ method: 'ping' })).rejects.toThrow('fetch failed');
    server.transport.send = () => {
      throw new Error('not connected');
    };
    await expect(call('lookup')).rejects.toThrow('not connected');
  });

  it('an answer that comes just before the end, before the end', async () => {
    const server = scriptedServer(() => 'lost');
    const { call, closed, received } = connect(server);
    const answer = call('lookup');
    await expect.poll(() => server.seen).toHaveLength(1);
    server.push({ jsonrpc: '2.0', id: 1, result: RESULT });
    await server.transport.close();
    await closed;
    expect(received).toHaveLength(1);
    expect((await answer).result).toEqual(RESULT);
  });
});

describe('a server that is hostile', () => {
  it.each<[string, unknown]>([
    ['no object', 'text'],
    ['null', null],
    ['a number', 7],
    ['an answer to nobody', { jsonrpc: '2.0', id: 'x', result: {} }],
    ['an answer with an object as id', { jsonrpc: '2.0', id: {}, result: {} }],
    ['an answer to a number as text', { jsonrpc: '2.0', id: '1', result: {} }],
    ['a notification without a name', { jsonrpc: '2.0', method: 5 }],
  ])('%s goes to the client, which knows what to do with it', async (_, message) => {
    const server = scriptedServer(() => 'lost');
    const { received } = connect(server);
    server.push(message);
    expect(received).toEqual([message]);
  });

  it('a batch is read message by message, one level deep', async () => {
    const server = scriptedServer(() => 'lost');
    const { call, received } = connect(server);
    const answer = call('lookup');
    await expect.poll(() => server.seen).toHaveLength(1);
    server.push([[{ jsonrpc: '2.0', id: 1 }], { jsonrpc: '2.0', id: 1, result: RESULT }]);
    expect((await answer).result).toEqual(RESULT);
    expect(received[0]).toEqual([{ jsonrpc: '2.0', id: 1 }]);
  });

  it('a second answer to a call is dropped while the first is judged', async () => {
    const server = scriptedServer(() => 'lost');
    const { call, received } = connect(server);
    const answer = call('lookup');
    await expect.poll(() => server.seen).toHaveLength(1);
    server.push({ jsonrpc: '2.0', id: 1, ...Object(everywhere(v2(ENTRY))) });
    server.push({ jsonrpc: '2.0', id: 1, result: RESULT });
    expect((await answer).result.isError).toBe(true);
    expect(received).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['with its id as text, which clients take as well', { id: '1' }],
    ['with a member that makes it look like no answer', { method: null }],
    ['with an error beside its result that is none', { error: {} }],
  ])('an answer %s is judged', async (_, odd) => {
    const server = scriptedServer(() => 'lost');
    const { call, received } = connect(server, guardWith({ hosts: [] }));
    call('lookup').catch(() => {});
    await expect.poll(() => server.seen).toHaveLength(1);
    server.push({ jsonrpc: '2.0', id: 1, ...Object(everywhere(v2(ENTRY))), ...odd });
    await expect.poll(() => received).toHaveLength(1);
    expect(received).toMatchObject([
      { id: 1, result: { _meta: { 'assay/refused': { code: 'host_not_allowed' } } } },
    ]);
  });

  it('an answer with the error null is one without an error', async () => {
    const { buy, guard } = connect(scriptedServer(sells(v2(ENTRY), () => ({ result: RESULT, error: null }))));
    expect((await buy('lookup')).result).toEqual(RESULT);
    expect(await guard.purchases()).toMatchObject([{ state: 'delivered' }]);
  });

  it('a large result is passed on, and what was paid for it is delivered', async () => {
    const text = 'x'.repeat(3_000_000);
    const result = { content: [{ type: 'text', text }] };
    const { buy, guard } = connect(scriptedServer(sells(v2(ENTRY), () => ({ result }))));
    expect((await buy('lookup')).result).toEqual(result);
    expect(await guard.purchases()).toMatchObject([{ state: 'delivered' }]);
  });

  it('more than a thousand calls at once are refused', async () => {
    const server = scriptedServer(() => 'lost');
    const { transport, received } = connect(server);
    const message = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: `t${id}` },
    });
    for (let id = 1; id <= 1_000; id += 1) transport.send(message(id)).catch(() => {});
    await transport.send(message(1_001));
    expect(received).toMatchObject([
      { id: 1_001, result: { _meta: { 'assay/refused': { code: 'not_approved' } } } },
    ]);
    await expect(transport.send(message(1))).rejects.toThrow('a call with this id is under way');
    await transport.close();
  });
});

describe('the clients of both lines of the SDK', () => {
  it.each<[string, () => [Json, Json, Json]]>([
    ['1', () => [new OldClient({ name: 'a', version: '1' }), ...OldPair.createLinkedPair()]],
    ['2', () => [new NewClient({ name: 'a', version: '1' }), ...NewPair.createLinkedPair()]],
  ])('call a tool over it: %s', async (_, open) => {
    const [client, mine, theirs] = open();
    theirs.onmessage = ({ id, method, params }: Json) => {
      const hello = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} } };
      const serverInfo = { name: 'b', version: '1' };
      const answer = method === 'initialize' ? { result: { ...hello, serverInfo } } : everywhere(v2(ENTRY));
      if (id !== undefined) theirs.send({ jsonrpc: '2.0', id, ...Object(answer) });
    };
    await theirs.start();
    await client.connect(guardTransport(mine, guardWith({ hosts: [] }), SERVER));
    expect(await client.callTool({ name: 'lookup', arguments: {} })).toMatchObject({
      isError: true,
      content: [
        { type: 'text', text: 'host_not_allowed: This host is not on the list of hosts that may be paid.' },
      ],
    });
    await client.close();
  });
});
