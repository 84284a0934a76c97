import type { ProbeAnswer } from '../src/core/verdict/probe-outcome.ts';

const ENTRY = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '10000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
};

/** A version 2 header of about the given size: one offer, the rest the schema that discovery asks sellers for. */
export function typicalAnswer(headerChars: number): { answer: ProbeAnswer; header: string } {
  const document = (fields: number) =>
    JSON.stringify({
      x402Version: 2,
      error: 'PAYMENT-SIGNATURE header is required',
      resource: {
        url: 'https://api.example.com/v1/data',
        description: 'Current conditions at a place, as JSON',
        mimeType: 'application/json',
      },
      accepts: [ENTRY],
      extensions: {
        bazaar: {
          info: {
            input: { type: 'http', method: 'GET', queryParams: { place: 'Lisbon' } },
            output: { type: 'json' },
          },
          schema: {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            type: 'object',
            properties: Object.fromEntries(
              Array.from({ length: fields }, (_, at) => [
                `field_${at}`,
                { type: 'string', description: `The value of field ${at}, as the instrument reported it` },
              ]),
            ),
          },
        },
      },
    });
  const encode = (fields: number) => Buffer.from(document(fields)).toString('base64');
  let fields = 0;
  while (encode(fields + 1).length <= headerChars) fields += 1;
  const header = encode(fields);
  return { header, answer: answer([['payment-required', header]], '') };
}

/** Bodies of the given size, each made to be slow for one way of reading. */
export function hostileBodies(bytes: number): { name: string; answer: ProbeAnswer }[] {
  const filled = (head: string, unit: string, tail: string) =>
    head + unit.repeat(Math.floor((bytes - head.length - tail.length) / unit.length)) + tail;
  const entry = JSON.stringify(ENTRY);
  const bodies: [string, string][] = [
    ['256 kB of entries', filled(`{"accepts":[${entry}`, `,${entry}`, ']}')],
    ['256 kB of open brackets', filled('{"accepts":', '[', '')],
    ['256 kB of nesting', `{"accepts":${'['.repeat(bytes / 2 - 8)}${']'.repeat(bytes / 2 - 8)}}`],
    ['256 kB of escapes in one string', filled('{"accepts":[],"a":"', '\\"', '"}')],
    ['256 kB of tiny keys', filled('{"accepts":[],"x":{"a":0', ',"a":0', '}}')],
    ['256 kB of money keys in own objects', filled('{"accepts":[{"payTo":0}', ',{"payTo":0}', ']}')],
    ['256 kB of escaped keys', filled('{"accepts":[],"x":{"a":0', ',"\\u0061":0', '}}')],
    ['256 kB of digits', filled('{"accepts":[{"amount":"', '9', '"}]}')],
    ['256 kB of blanks', filled('{"accepts":', ' ', '[]}')],
    ['256 kB of empty objects', filled('{"accepts":[{}', ',{}', ']}')],
    ['256 kB of open quotes', filled('{"accepts":[]', '"', '')],
  ];
  return bodies.map(([name, body]) => ({ name, answer: answer([], body) }));
}

function answer(headers: readonly (readonly [string, string])[], body: string): ProbeAnswer {
  return { kind: 'answered', status: 402, headers, body: new TextEncoder().encode(body), bodyComplete: true };
}
