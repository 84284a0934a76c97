import { dialDirectly } from '../../../dist/adapters/probe/dial.js';
import { createOutbound } from '../../../dist/main/build/outbound.js';
import { onlyPlaces, placeOf, resolveNothing } from '../../../dist/sandbox/open-places.js';

/** The servers behind these addresses may be asked and nobody else. */
export function outboundTo(urls, userAgent) {
  const policy = onlyPlaces(urls.map(placeOf));
  return createOutbound({ policy, resolve: resolveNothing, dial: dialDirectly, userAgent });
}
