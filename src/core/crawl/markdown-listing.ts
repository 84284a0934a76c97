import { parseTargetUrl, type TargetUrl } from '../url/target-url.ts';
import { readServiceName } from './listing-name.ts';
import { readUsd, unlessZero } from './listing-price.ts';
import { readMethod } from './listing-request.ts';
import type { EntryReading } from './read-listing.ts';

/**
 * A README line that lists a service: '- [Name](url) - prose with a price'. Most such links lead to a site, not to an
 * endpoint, and a public 'skip' for a home page would be wrong. So a line counts only with exactly one URL that looks like
 * an endpoint and exactly one price. Null for lines that are not a bullet with a link.
 */
export function readMarkdownLine(line: string, list: string): EntryReading | null {
  const [, name] = BULLET.exec(line) ?? [];
  if (name === undefined) return null;
  const endpoints = [...new Map(targetsOf(line).map((target) => [target.normalized, target])).values()];
  const [target, another] = endpoints.filter(looksLikeEndpoint);
  const price = onlyPrice(line);
  if (target === undefined || another !== undefined || price === null)
    return { endpoints: [], faults: ['no_url'] };
  const service = readServiceName(name);
  const endpoint = {
    target,
    method: readMethod(VERB.exec(line)?.[1]) ?? 'GET',
    claim: { price, payTo: null, network: null },
    input: null,
    ...(service === null ? {} : { service }),
    list,
    listedIn: [list],
  } as const;
  return { endpoints: [endpoint], faults: [] };
}

const BULLET = /^[ \t]{0,8}[-*+][ \t]+(?:\*\*)?\[([^\]]{1,200})\]\(/;
const URL_IN_TEXT = /https?:\/\/[^\s<>()[\]"'`|]{1,2048}/gi;
const VERB = /\b(GET|POST)\b[ \t`:]*https?:/;

function targetsOf(line: string): TargetUrl[] {
  return [...line.matchAll(URL_IN_TEXT)].flatMap(([text]) => {
    const reading = parseTargetUrl(text.replace(/[.,;:!?*_]+$/, ''));
    return reading.kind === 'target' ? [reading.target] : [];
  });
}

const ENDPOINT_PATH = /\/(?:api|v[0-9]+)\/[^/?]/;
const OTHER_PATH = /\/(?:docs?|documentation|swagger|openapi|redoc|reference)(?:[./?]|$)/i;
const OTHER_HOST =
  /^(?:docs?|developers?|blog)\.|(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|npmjs\.com|pypi\.org|x\.com|twitter\.com|t\.me|discord\.gg|discord\.com|youtube\.com|medium\.com|readme\.io|shields\.io)$/;

function looksLikeEndpoint({ host, pathAndQuery }: TargetUrl): boolean {
  return ENDPOINT_PATH.test(pathAndQuery) && !OTHER_PATH.test(pathAndQuery) && !OTHER_HOST.test(host);
}

const PRICE = /\$ ?([0-9][0-9.]{0,15})|(?<![0-9.$])([0-9][0-9.]{0,15}) ?USDC\b/g;
const NOT_FIXED =
  /\b(?:from|up to|starting at|as low as|to|between)[ \t]+\$?[0-9]|[0-9][ \t]*[-–—~+][ \t]*\$?[0-9]/i;

/** '$0.01-$0.05' and 'from $0.01' name no price of a call. */
function onlyPrice(line: string) {
  const prose = line.replace(URL_IN_TEXT, ' ');
  const [match, another] = prose.matchAll(PRICE);
  if (match === undefined || another !== undefined || NOT_FIXED.test(around(prose, match))) return null;
  return unlessZero(readUsd((match[1] ?? match[2] ?? '').replace(/\.+$/, '')));
}

const AROUND_CHARS = 16;

function around(prose: string, { index, 0: text }: RegExpExecArray): string {
  return prose.slice(Math.max(0, index - AROUND_CHARS), index + text.length + AROUND_CHARS);
}
