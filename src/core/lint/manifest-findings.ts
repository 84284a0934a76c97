import { parseTargetUrl, type TargetUrl } from '../url/target-url.ts';
import { isJsonObject, member, parseJson } from '../x402/read-json.ts';
import { found } from './checks.ts';
import type { Finding } from './finding.ts';
import { isSamePath } from './same-path.ts';
import type { Look } from './seen.ts';

export function manifestFindings(look: Look, target: TargetUrl, isLocal: boolean): Finding[] {
  if (look.kind === 'failed') {
    const check = look.fault === 'too_large' ? 'manifest_unreadable' : 'manifest_missing';
    return [found(look.fault === 'no_answer' ? 'no_answer' : check, 'well_known')];
  }
  if (look.status < 200 || look.status > 299) return [found('manifest_missing', 'well_known')];
  const named = namedIn(parseJson(look.body));
  if (named === null) return [found('manifest_unreadable', 'well_known')];
  return named.some((text) => isTarget(text, target, isLocal)) ? [] : [found('manifest_route', 'well_known')];
}

const NAMED_MAX = 5_000;

/** `resources` of version 1, `items` of the draft for version 2: texts, or objects with the URL in one of two members. */
function namedIn(document: unknown): readonly string[] | null {
  if (!isJsonObject(document)) return null;
  const lists = ['resources', 'items', 'endpoints']
    .map((key) => member(document, key))
    .filter((list): list is unknown[] => Array.isArray(list));
  if (lists.length === 0) return null;
  return lists
    .flatMap((list) => list.slice(0, NAMED_MAX))
    .flatMap((row) => (isJsonObject(row) ? [member(row, 'resource'), member(row, 'url')] : [row]))
    .filter((text) => typeof text === 'string');
}

// Some name the method before the URL.
const METHOD = /^[A-Z]{3,7} +/;

/** The query is not compared: manifests list resources, not calls. Nor is the origin of a local server. */
function isTarget(text: string, target: TargetUrl, isLocal: boolean): boolean {
  const place = text.replace(METHOD, '');
  const reading = parseTargetUrl(
    place.startsWith('/') ? `${target.scheme}://${target.authority}${place}` : place,
  );
  if (reading.kind === 'invalid') return false;
  const { scheme, authority, href } = reading.target;
  const isSameOrigin = scheme === target.scheme && authority === target.authority;
  return (
    (isLocal || isSameOrigin) &&
    isSamePath(decoded(new URL(href).pathname), decoded(new URL(target.href).pathname))
  );
}

/** Braces of a template are escaped in a URL. */
function decoded(path: string): string {
  return path.replaceAll('%7B', '{').replaceAll('%7D', '}');
}
