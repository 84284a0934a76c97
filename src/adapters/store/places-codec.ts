import { z } from 'zod';

/** One probe that is under way. */
export interface HeldPlace {
  readonly flightKey: string;
  readonly placeKey: string;
  readonly holder: string;
  /** By the clock of the database. */
  readonly until: number;
}

const heldPlaces = z.array(z.tuple([z.string(), z.string(), z.string(), z.int()]));

export function encodePlaces(places: readonly HeldPlace[]): string {
  const rows = places.map(({ flightKey, placeKey, holder, until }) => [flightKey, placeKey, holder, until]);
  return JSON.stringify(rows);
}

/** The text of a single place around its end, which the database fills in. */
export function encodeWithoutEnd({
  flightKey,
  placeKey,
  holder,
}: Omit<HeldPlace, 'until'>): readonly [before: string, after: string] {
  return [`${JSON.stringify([[flightKey, placeKey, holder]]).slice(0, -2)},`, ']]'];
}

export function decodePlaces(text: string): readonly HeldPlace[] {
  return heldPlaces
    .parse(JSON.parse(text))
    .map(([flightKey, placeKey, holder, until]) => ({ flightKey, placeKey, holder, until }));
}
