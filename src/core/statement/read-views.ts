import { VANTAGES_MAX } from '../vantage/vantage-limits.ts';
import type { View, Views } from '../vantage/view.ts';
import { readSeen } from './read-seen.ts';
import { hexHash, listOf, membersOf, signatureText, text, time, whole, wrong } from './read-values.ts';

export function readViews(value: unknown): Views {
  const members = membersOf(value);
  const needed = whole(members('needed'));
  const views = listOf(members('views'), VANTAGES_MAX, readView);
  if (needed < 1) return wrong('nobody had to agree');
  // The name of a key may be anything: one key is one point of view. Base64 may have a plus, too.
  const keys = new Set(views.map(({ vantage }) => vantage.split('+').slice(2).join('+')));
  return keys.size === views.length ? { needed, views } : wrong('one vantage twice');
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
