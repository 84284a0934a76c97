import type { SecretKind } from './secret-names.ts';
import { isPublicShape, type Shape } from './shape.ts';

/** A value whose name says that it is a credential. */
export function shapeUnderSecretName(kind: SecretKind, value: string): Shape {
  switch (kind) {
    case 'secret':
      return 'secret';
    case 'code':
      return 'doubtful';
    case 'seed':
      return NUMBER.test(value) ? 'plain' : 'secret';
    case 'coin':
      return shapeOfCoin(value);
    case 'token':
      return NUMBER.test(value) ? 'plain' : shapeOfCoin(value);
  }
}

/** In a sentence and among the members of an object, a name may mean something else, and its value be a word as any other. */
export function likelyIfWord(shape: Shape, value: string): Shape {
  return shape === 'secret' && WORD.test(value) ? 'likely' : shape;
}

/** Keys are longer, or have digits or capitals inside. */
const WORD = /^[A-Za-z][a-z]{0,11}[.!?]?$/;

const NUMBER = /^[0-9]{1,9}$/;

function shapeOfCoin(value: string): Shape {
  if (isPublicShape(value)) return 'plain';
  return SYMBOL.test(value) || MINT.test(value) ? 'doubtful' : 'secret';
}

const SYMBOL = /^[A-Z]{2,6}$/;
const MINT = /^[1-9A-HJ-NP-Za-km-z]{42,44}$/;
