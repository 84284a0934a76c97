import { z } from 'zod';
import { type Sandbox, sellerNamed } from './with-sandbox.ts';

const challenge = z.object({ accepts: z.array(z.object({ payTo: z.string() })).min(1) });

/** Whom the lists of the sandbox name as the payee of all its sellers: the one that the honest seller asks to pay. */
export async function listedPayee(sandbox: Sandbox): Promise<string> {
  const { headers } = await fetch(sellerNamed(sandbox, 'honest'));
  const json = Buffer.from(headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString();
  const [entry] = challenge.parse(JSON.parse(json)).accepts;
  return entry?.payTo ?? '';
}
