import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

/** What every store promises about the fingerprint of its secret. */
export function describeSecretMark(name: string, newPlace: NewPlace): void {
  describe(`the fingerprint of the secret on ${name}`, () => {
    let place: Place;

    beforeEach(async () => {
      place = await newPlace();
    });
    afterEach(() => place.remove());

    it('the first one stays, also when many come at once and after a restart', async () => {
      const { secretMark } = await place.open();
      const answers = await Promise.all(['a', 'b', 'c', 'd'].map((one) => secretMark.keep(one)));
      expect(new Set(answers).size).toBe(1);
      const later = await place.open();
      expect(await later.secretMark.keep('e')).toBe(answers[0]);
    });

    it('is replaced only when told to', async () => {
      const { secretMark } = await place.open();
      await secretMark.replace('a');
      expect(await secretMark.keep('b')).toBe('a');
      await secretMark.replace('b');
      expect(await secretMark.keep('a')).toBe('b');
    });
  });
}
