const PAYEE = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

const entry = {
  scheme: 'exact',
  network: 'base',
  maxAmountRequired: '10000',
  resource: 'https://api.example.com/premium-data',
  description: 'Premium data',
  mimeType: 'application/json',
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
};

const challenge = (accepts: unknown[]) => JSON.stringify({ x402Version: 1, accepts });

/** Bodies that are too large to store in the corpus, by the name the corpus gives them. */
export function generatedBody({ kind, n }: { kind: string; n: number }): string {
  switch (kind) {
    case 'v1_amount_digits':
      return challenge([{ ...entry, maxAmountRequired: '9'.repeat(n) }]);
    case 'v1_accepts_repeat':
      return challenge(Array.from({ length: n }, () => entry));
    case 'v1_accepts_junk_then_valid':
      return challenge([...Array.from({ length: n }, () => ({ ...entry, network: 'nowhere' })), entry]);
    default:
      throw new Error(`no such generated body: ${kind}`);
  }
}

/** A valid version 2 challenge, padded far over any header budget. */
export function generatedHeaders(bytes: number): [string, string][] {
  const { maxAmountRequired: amount, ...rest } = entry;
  const document = {
    x402Version: 2,
    padding: 'x'.repeat(bytes),
    accepts: [{ ...rest, amount, network: 'eip155:8453' }],
  };
  return [['PAYMENT-REQUIRED', Buffer.from(JSON.stringify(document)).toString('base64')]];
}
