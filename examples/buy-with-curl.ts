import { ExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client, x402HTTPClient } from '@x402/fetch';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Two requests of curl: one for the 402, one with the payment that was signed here. Returns the last status and body. */
export async function buyWithCurl(
  url: string,
  key: Hex,
  curl: (words: readonly string[]) => Promise<string | null>,
): Promise<string> {
  const asked = answerOf(await curl(['-si', url]));
  if (asked.status !== 402) return `${asked.status} ${asked.body}`;
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(key)));
  const http = new x402HTTPClient(client);
  const required = http.getPaymentRequiredResponse((name) => asked.headers.get(name), asked.body);
  const payment = http.encodePaymentSignatureHeader(await client.createPaymentPayload(required));
  const fields = Object.entries(payment).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const bought = answerOf(await curl(['-si', ...fields, url]));
  return `${bought.status} ${bought.body}`;
}

function answerOf(said: string | null) {
  const [head = '', ...body] = (said ?? '').split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const at = field.indexOf(':');
      return [field.slice(0, at), field.slice(at + 1).trim()];
    }),
  );
  return { status: Number(line.split(' ')[1]), headers, body: body.join('\r\n\r\n') };
}
