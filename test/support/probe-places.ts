import type { AskedPlace } from '../../src/ports/probe-places.ts';

/** A probe of 'a/1', which is path 1 of a.example, or of 'a:8443/1'; each has a holder of its own. */
export function askedPlace(url: string): AskedPlace {
  const [place = ''] = url.split('/');
  const host = `${place.split(':')[0]}.example`;
  return {
    host,
    hostKey: `key of ${host}`,
    placeKey: `place of ${place}`,
    flightKey: `flight of ${url}`,
    holder: `holder of ${url}`,
  };
}
