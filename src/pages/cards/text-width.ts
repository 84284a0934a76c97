export type Face = 'sans' | 'bold' | 'mono';

/** Advance widths of IBM Plex Sans, in thousandths of an em, and the characters that have them. */
const SANS: readonly (readonly [width: number, characters: string])[] = [
  [236, ' '],
  [250, "'ij"],
  [272, ',.l’'],
  [292, '!:;'],
  [335, '()[]f|·'],
  [367, '{}tr'],
  [400, '/\\-I'],
  [464, '"*z'],
  [487, '?s'],
  [510, 'vyLcxJ'],
  [534, 'kga'],
  [568, 'eFo_hnu'],
  [583, 'TZbdpqSE'],
  [600, '–Y$+0123456789<=>^`~'],
  [621, 'PVXC'],
  [653, 'KRAB'],
  [713, 'DU&GHNOQ#'],
  [812, 'w…M'],
  [930, 'm@W%'],
];
/** The semibold is nowhere more than this much wider. */
const BOLD_FACTOR = 1.075;
const MONO = 0.6;
const WIDEST = 1;

/** How wide a text is at most, in em: cards have no layout engine that would wrap or shrink it. */
export function textWidth(text: string, face: Face): number {
  const characters = [...text];
  if (face === 'mono') return characters.length * MONO;
  const sum = characters.reduce((width, character) => width + (WIDTHS.get(character) ?? WIDEST), 0);
  return face === 'bold' ? sum * BOLD_FACTOR : sum;
}

const WIDTHS: ReadonlyMap<string, number> = new Map(
  SANS.flatMap(([width, characters]) => [...characters].map((character) => [character, width / 1_000])),
);

export interface Place {
  readonly width: number;
  readonly size: number;
  readonly face: Face;
}

/** The largest font size, up to the one of the place, at which the text fits. */
export function fittingSize(text: string, { width, size, face }: Place): number {
  return Math.min(size, Math.floor(width / textWidth(text, face)));
}
