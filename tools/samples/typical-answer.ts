import type { ProbeAnswer } from '../../src/core/verdict/probe-outcome.ts';
import { answered, ENTRY } from './challenge.ts';

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
  return { header, answer: answered({ headers: [['payment-required', header]] }) };
}
