import { createServer } from 'node:http';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAuthorizationLog } from '../../../src/adapters/facilitator/chain-log.ts';
import { createHttpFacilitator } from '../../../src/adapters/facilitator/http-facilitator.ts';
import { bridgePayment } from '../../../src/adapters/facilitator/payment-bridge.ts';
import type { Payment } from '../../../src/core/x402/payment-payload.ts';
import type { Facilitator } from '../../../src/ports/facilitator.ts';
import { type LocalChain, startLocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import { type FacilitatorServer, startFacilitatorServer } from '../../../src/sandbox/facilitator-server.ts';
import { ALWAYS, aPayment, chargeOf } from '../../../tools/signed-payment.ts';
import { balanceOf } from '../../support/paying/chain-reading.ts';

const PRICE = 10_000n;
const UNAVAILABLE = { kind: 'unavailable' };
const UNKNOWN = { kind: 'unknown' };

let chain: LocalChain;
const newPayment = (): Promise<Payment> => {
  const [buyer] = chain.accounts.buyers;
  return aPayment({ key: buyer?.key ?? '0x', to: chain.accounts.seller.address, value: PRICE });
};
const charge = () => chargeOf(PRICE, chain.accounts.seller.address);
const earned = () => balanceOf(chain, chain.accounts.seller.address);

beforeAll(async () => {
  chain = await startLocalChain();
});
afterAll(() => chain.stop());

describe('a facilitator over HTTP that misbehaves', () => {
  let server: FacilitatorServer;
  let facilitator: Facilitator;

  beforeAll(async () => {
    server = await startFacilitatorServer({ rpcUrl: chain.rpcUrl, gasKey: chain.accounts.gas.key });
    facilitator = createHttpFacilitator({ url: `${server.url}/`, timeoutMs: 1_000 });
  });
  afterEach(() => server.misbehave(null));
  afterAll(() => server.stop());

  it.each([
    ['500 with words', 500, '{"error":"connect ECONNREFUSED 10.0.0.7:8545"}'],
    ['500 with a yes', 500, '{"isValid":true,"success":true}'],
    ['503 with a no', 503, '{"isValid":false,"invalidReason":"insufficient_funds","success":false}'],
    ['404', 404, '{"error":"not_found"}'],
    ['401', 401, '{"message":"unauthorized"}'],
    ['garbage', 200, '<html>it works</html>'],
    ['nothing', 200, ''],
    ['null', 200, 'null'],
    ['more than anybody reads', 200, `{"isValid":true,"success":true,"x":"${'y'.repeat(70_000)}"}`],
  ])('answers %s: neither yes nor no', async (_, status, body) => {
    server.misbehave({ kind: 'answer', status, body });
    const payment = await newPayment();
    expect(await facilitator.verify(payment, charge())).toEqual(UNAVAILABLE);
    expect(await facilitator.settle(payment, charge(), ALWAYS)).toEqual(UNKNOWN);
  });

  it('may say a clear no with a 4xx', async () => {
    const body = { isValid: false, invalidReason: 'insufficient_funds' };
    server.misbehave({ kind: 'answer', status: 400, body: JSON.stringify(body) });
    const reason = 'insufficient_funds';
    expect(await facilitator.verify(await newPayment(), charge())).toEqual({ kind: 'invalid', reason });
    const settle = { success: false, errorReason: reason, transaction: '' };
    server.misbehave({ kind: 'answer', status: 402, body: JSON.stringify(settle) });
    expect(await facilitator.settle(await newPayment(), charge(), ALWAYS)).toEqual({
      kind: 'refused',
      reason,
    });
  });

  it('loses its answer after the money moved: unknown here, and the chain knows', async () => {
    const payment = await newPayment();
    const before = await earned();
    server.misbehave({ kind: 'lost_answer' });
    expect(await facilitator.settle(payment, charge(), ALWAYS)).toEqual(UNKNOWN);
    expect(await earned()).toBe(before + PRICE);
    const log = createAuthorizationLog({ rpcUrl: chain.rpcUrl });
    expect(await log.useOf(payment.authorization)).toEqual({
      kind: 'used',
      tx: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    server.misbehave(null);
    expect(await facilitator.settle(payment, charge(), ALWAYS)).toEqual({
      kind: 'refused',
      reason: 'already_used',
    });
  });

  it('answers too late: unknown, within the time that was given', async () => {
    // Whoever waited for it would hear what it says.
    server.misbehave({ kind: 'delay', milliseconds: 6_000 });
    const payment = await newPayment();
    expect(await facilitator.verify(payment, charge())).toEqual(UNAVAILABLE);
    expect(await facilitator.settle(payment, charge(), ALWAYS)).toEqual(UNKNOWN);
  });

  it('sends us elsewhere: the payment is not handed on', async () => {
    const asked: string[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(307, { location: '/other' }).end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const { port } = Object(elsewhere.address());
    const moved = createHttpFacilitator({
      url: `http://127.0.0.1:${port}/x402`,
      headers: { authorization: 'Bearer secret' },
    });
    expect(await moved.settle(await newPayment(), charge(), ALWAYS)).toEqual(UNKNOWN);
    expect(asked).toEqual(['/x402/settle']);
    elsewhere.close();
  });

  it('gets the Authorization header that was set, and the documents of the SDK', async () => {
    const seen: unknown[] = [];
    const listener = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      seen.push([request.method, request.url, request.headers.authorization, JSON.parse(body)]);
      response.end('{}');
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${Object(listener.address()).port}`;
    const payment = await newPayment();
    await createHttpFacilitator({ url, headers: { authorization: 'Bearer secret' } }).verify(
      payment,
      charge(),
    );
    const bridged = bridgePayment(payment, charge());
    if (bridged.kind !== 'bridged') throw new Error('not bridged');
    const { payload, requirements } = bridged.question;
    await new HTTPFacilitatorClient({ url }).verify(payload, requirements).catch(() => undefined);
    const [ours, theirs] = seen.map((one) => Object(one));
    expect(ours.slice(0, 3)).toEqual(['POST', '/verify', 'Bearer secret']);
    expect(ours[3]).toEqual(theirs[3]);
    listener.close();
  });

  it('serves the client of the SDK as well', async () => {
    const bridged = bridgePayment(await newPayment(), charge());
    if (bridged.kind !== 'bridged') throw new Error('not bridged');
    const { payload, requirements } = bridged.question;
    const client = new HTTPFacilitatorClient({ url: server.url });
    const { kinds } = await client.getSupported();
    expect(kinds).toContainEqual({ x402Version: 2, scheme: 'exact', network: 'eip155:8453' });
    expect(kinds).toContainEqual({ x402Version: 1, scheme: 'exact', network: 'base' });
    expect(await client.verify(payload, requirements)).toMatchObject({ isValid: true });
    expect(await client.settle(payload, requirements)).toMatchObject({ success: true });
  });
});
