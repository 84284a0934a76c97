import { dialDirectly } from '../../dist/adapters/probe/dial.js';
import { reachBy } from '../../dist/main/reach.js';
import { onlyPlaces, placeOf, resolveNothing } from '../../dist/sandbox/open-places.js';

/** The servers behind these addresses may be asked and nobody else. */
export function reachOnly(urls, userAgent) {
  const policy = onlyPlaces(urls.map(placeOf));
  return reachBy({ policy, resolve: resolveNothing, dial: dialDirectly, userAgent });
}
