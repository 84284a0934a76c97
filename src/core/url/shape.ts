/**
 * What a value tells by its shape. `doubtful` may be either: a UUID is an order in one service and a key in another. `likely` is a
 * word under the name of a credential: in 'password: swordfish' it is one, in 'reset my password: step by step' it is none.
 */
export type Shape = 'plain' | 'doubtful' | 'likely' | 'secret';

/** Of a value that contains all of them. */
export function worstOf(shapes: readonly Shape[]): Shape {
  return WORST_FIRST.find((shape) => shapes.includes(shape)) ?? 'plain';
}

const WORST_FIRST = ['secret', 'likely', 'doubtful'] as const;

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
