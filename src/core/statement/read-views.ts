import { VANTAGES_MAX } from '../vantage/vantage-limits.ts';
import type { View, Views } from '../vantage/view.ts';
import { readSeen } from './read-seen.ts';
import { hexHash, listOf, membersOf, signatureText, text, time, whole } from './read-values.ts';

export function readViews(value: unknown): Views {
  const members = membersOf(value);
  return {
    needed: whole(members('needed')),
    views: listOf(members('views'), VANTAGES_MAX, readView),
  };
}

export function readView(value: unknown): View {
  const members = membersOf(value);
  return {
    at: time(members('at')),
    request: hexHash(members('request')),
    seen: readSeen(members('seen')),
    signature: signatureText(members('signature')),
    vantage: text(members('vantage')),
  };
}
