import { describe, expect, it } from 'vitest';
import { decidePlace, type LivePlace, type PlaceDecision } from './place-decision.ts';

const at = (placeKey: string, ...flights: string[]): LivePlace[] =>
  flights.map((flightKey) => ({ flightKey, placeKey }));
const asked: LivePlace = { flightKey: 'GET x', placeKey: 'a:443' };

describe('a place at a target (G38, G76)', () => {
  it.each<[string, readonly LivePlace[], number, PlaceDecision]>([
    ['nobody is there', [], 0, 'taken'],
    ['two are there', at('a:443', '1', '2'), 0, 'taken'],
    ['three are there', at('a:443', '1', '2', '3'), 0, 'full'],
    ['three are at another port', at('a:8443', '1', '2', '3'), 0, 'taken'],
    ['somebody asks the same URL', at('a:443', 'GET x'), 0, 'in_flight'],
    [
      'three are there, one for the same URL: wait for that one',
      at('a:443', '1', '2', 'GET x'),
      0,
      'in_flight',
    ],
    ['the crawl has all its lanes', [], 3, 'crawled'],
    ['the crawl let one lane go idle', [], 2, 'taken'],
    ['the crawl let one lane go idle and somebody has it', at('a:443', '1'), 2, 'crawled'],
    ['that somebody is at another port: the crawl counts by host name', at('a:8443', '1'), 2, 'crawled'],
    ['the crawl has one URL left, and one of us is there', at('a:443', '1'), 1, 'taken'],
    ['the crawl has one URL left, and two of us are there', at('a:443', '1', '2'), 1, 'crawled'],
    ['callers alone are too many: the crawl is not to blame', at('a:443', '1', '2', '3'), 1, 'full'],
  ])('when %s', (_, live, lanes, decision) => {
    expect(decidePlace(asked, live, lanes)).toBe(decision);
  });
});
