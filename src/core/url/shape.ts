/** What a value tells by its shape. `doubtful` may be either: a UUID is an order in one service and a key in another. */
export type Shape = 'plain' | 'doubtful' | 'secret';

/** Of a value that contains all of them. */
export function worstOf(shapes: readonly Shape[]): Shape {
  if (shapes.includes('secret')) return 'secret';
  return shapes.includes('doubtful') ? 'doubtful' : 'plain';
}

/** Names something that everybody may see. */
export function isPublicShape(value: string): boolean {
  return PUBLIC_SHAPES.some((shape) => shape.test(value));
}

const PUBLIC_SHAPES: readonly RegExp[] = [
  /^0x[0-9a-fA-F]{40}$/, // EVM address
  /^Qm[1-9A-HJ-NP-Za-km-z]{44}$|^baf[a-z2-7]{50,}$/, // content of IPFS
  /^(?:eip155|solana):[A-Za-z0-9]{1,44}$/, // network
  /^\d{4}-\d\d-\d\d(?:[T ][0-9:.]{5,15}(?:Z|[+-]\d\d:?\d\d)?)?$/,
];
