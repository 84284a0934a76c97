import type { View, Views } from '../vantage/view.ts';
import { seenMembers } from './write-seen.ts';

export function viewsMembers(views: Views | null) {
  return views === null ? undefined : { needed: views.needed, views: views.views.map(viewMembers) };
}

/** In the order of the names, as in the rest of a statement. */
export function viewMembers({ at, request, seen, signature, vantage }: View) {
  return { at, request, seen: seenMembers(seen), signature, vantage };
}
