import { readSeen } from '../statement/read-seen.ts';
import { hexHash, time } from '../statement/read-values.ts';
import { seenMembers } from '../statement/write-seen.ts';
import type { View } from './view.ts';
import { readLine } from './written-line.ts';

/** What a vantage says about one request. */
export type StatedView = Pick<View, 'at' | 'request' | 'seen'>;

const HEADER = 'assay-vantage/1 observation';

/** The text of a note, in the form of a request. What was seen is written as in a statement. */
export function observationText({ at, request, seen }: StatedView): string {
  return `${HEADER}\n${JSON.stringify({ at, request, seen: seenMembers(seen) })}\n`;
}

/** Accepts exactly what `observationText` writes. */
export function readObservationText(text: string): StatedView | null {
  const stated = readLine(text, HEADER, (members) => ({
    at: time(members('at')),
    request: hexHash(members('request')),
    seen: readSeen(members('seen')),
  }));
  return stated !== null && observationText(stated) === text ? stated : null;
}
