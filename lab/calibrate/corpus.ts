import type { Behaviour } from './behaviour.ts';
import { CONDUCT } from './dishonest/conduct.ts';
import { TERMS } from './dishonest/terms.ts';
import { TRICKS } from './dishonest/tricks.ts';
import { FORMS } from './honest/forms.ts';
import { INPUTS } from './honest/inputs.ts';
import { LISTED } from './honest/listed.ts';
import { OFFERED } from './honest/offered.ts';
import { WIRE } from './honest/wire.ts';

/** Every behaviour with its truth. */
export const CORPUS: readonly Behaviour[] = [
  ...FORMS,
  ...OFFERED,
  ...WIRE,
  ...INPUTS,
  ...LISTED,
  ...TERMS,
  ...TRICKS,
  ...CONDUCT,
];
