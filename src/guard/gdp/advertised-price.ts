import { type MicroUsd, microUsd, parseUsd } from '../../core/money/micro-usd.ts';

const TEXT_MAX_CHARS = 200_000;
const NUMBER = String.raw`(\d[\d,]{0,15}(?:\.\d{1,12})?)`;
const AMOUNT = new RegExp(
  String.raw`(?:\$|\bUSDC?) ?${NUMBER}|\b${NUMBER} ?(?:(USDC?\b|dollars?\b)|(?:cents?\b|¢))`,
  'gi',
);

/**
 * The most that the page that led to a URL says it costs: the amounts in the line with the URL, else in its paragraph. Where none
 * stands there, the only amount of the page. Null when the page names no price, or several of which none belongs to the URL.
 */
export function advertisedPrice(text: string, url: URL): MicroUsd | null {
  const page = text.slice(0, TEXT_MAX_CHARS);
  const about = (part: string) =>
    part.includes(url.href) || (url.pathname !== '/' && part.includes(url.pathname));
  for (const separator of [/\n/, /\n[ \t]*\r?\n/]) {
    const amounts = amountsIn(page.split(separator).filter(about).join('\n'));
    if (amounts.length > 0) return amounts.reduce((most, amount) => (amount > most ? amount : most));
  }
  const [only, ...others] = amountsIn(page);
  return only !== undefined && others.every((other) => other === only) ? only : null;
}

function amountsIn(text: string): readonly MicroUsd[] {
  return [...text.matchAll(AMOUNT)].flatMap(([, behindSign, beforeUnit, dollars]) => {
    const amount = parseUsd((behindSign ?? beforeUnit ?? '').replaceAll(',', ''));
    if (amount === null) return [];
    return [behindSign === undefined && dollars === undefined ? microUsd(amount / 100n) : amount];
  });
}
