import { expect, it } from 'vitest';
import { advertisedPrice } from './advertised-price.ts';

const QUOTES = 'https://shop.example/quotes';

it.each<[string, string, bigint | null]>([
  ['a price in the line of the URL', `Quotes cost $0.02: ${QUOTES}`, 20_000n],
  ['a price in its paragraph', `A quote is $0.02.\nGet it at\n${QUOTES}.`, 20_000n],
  ['the only price of the page', `# Prices\n\n$0.02 a piece\n\nOrder: ${QUOTES}`, 20_000n],
  ['a path in place of the URL', 'GET /quotes costs 0.02 USDC\nGET /charts costs 0.50 USDC', 20_000n],
  ['of several prices for the URL the highest', `${QUOTES} costs $0.02, or $0.03 at night`, 30_000n],
  ['thousands with commas', `${QUOTES} costs $1,250.50`, 1_250_500_000n],
  ['cents', `${QUOTES} costs 2 cents, at night 1.5¢`, 20_000n],
  ['the currency before the number', `${QUOTES} costs USDC 0.02`, 20_000n],
  ['several prices, none of them near the URL', `$0.02\n\n$0.03\n\n${QUOTES}`, null],
  ['no price', `Our quotes are at ${QUOTES}.`, null],
  ['a number that is no price', `12 quotes at ${QUOTES}`, null],
  ['an empty page', '', null],
])('%s', (_what, text, price) => {
  expect(advertisedPrice(text, new URL(QUOTES))).toBe(price);
});
