import { randomFillSync } from 'node:crypto';

const HALF_BYTES = 4;
const VALUES = 256;

/**
 * Simple tabulation: a random number for each value of each of the 8 bytes of an id. A log that does not know them cannot choose
 * ids that collide more than others, so that a search in a table with free slots stays short (Pătraşcu and Thorup, 2012).
 */
export function randomIdHash(): (high: number, low: number) => number {
  const random = randomFillSync(new Uint32Array(2 * HALF_BYTES * VALUES));
  return (high, low) => {
    let mixed = 0;
    for (let byte = 0; byte < HALF_BYTES; byte += 1) {
      const [ofHigh, ofLow] = [(high >>> (8 * byte)) & 255, (low >>> (8 * byte)) & 255];
      mixed ^= (random[2 * byte * VALUES + ofHigh] ?? 0) ^ (random[(2 * byte + 1) * VALUES + ofLow] ?? 0);
    }
    return mixed;
  };
}
