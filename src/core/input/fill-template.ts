import { decodeMarks, isPathTemplate } from '../url/path-template.ts';
import { parseTargetUrl, pathOf, type TargetUrl } from '../url/target-url.ts';
import type { NamedValue } from './listed-input.ts';

/** ':id', '{id}' or '<int:id>', as a whole segment or, with brackets, in one. */
const PLACEHOLDER = /^:([A-Za-z_][\w-]*)$|\{+([^{}]+)\}+|<([^<>]+)>/g;

/** The template with the listing's values; null when one is missing, or when they lead elsewhere. */
export function fillTemplate(target: TargetUrl, values: readonly NamedValue[]): TargetUrl | null {
  const [path = '', ...query] = target.pathAndQuery.split('?');
  const segments = path.split('/').map((segment) => filled(segment, values));
  if (segments.includes(null)) return null;
  const origin = target.href.slice(0, target.href.length - target.pathAndQuery.length);
  const reading = parseTargetUrl([origin + segments.join('/'), ...query].join('?'));
  if (reading.kind !== 'target') return null;
  const filledPath = pathOf(reading.target);
  // A value must stay in its segment: '..' would ask for another resource.
  const isSamePlace = filledPath.split('/').length === segments.length && !isPathTemplate(filledPath);
  return isSamePlace && reading.target.host === target.host ? reading.target : null;
}

function filled(segment: string, values: readonly NamedValue[]): string | null {
  const plain = decodeMarks(segment);
  if (!isPathTemplate(plain)) return segment;
  let isComplete = true;
  const text = plain.replaceAll(PLACEHOLDER, (_, colon?: string, braces?: string, angles?: string) => {
    const value = pathValue(colon ?? braces ?? angles ?? '', values);
    if (value === null) isComplete = false;
    return value ?? '';
  });
  return isComplete ? text : null;
}

const DOTS = /^\.{1,2}$/;

function pathValue(placeholder: string, values: readonly NamedValue[]): string | null {
  // '{id?}' and '<int:id>' name 'id'.
  const name = placeholder.slice(placeholder.lastIndexOf(':') + 1).replaceAll(/[^\w-]/g, '');
  const found =
    values.find(([one]) => one === name) ?? values.find(([one]) => one.toLowerCase() === name.toLowerCase());
  const value = found?.[1] ?? '';
  // Half of a surrogate pair becomes a replacement character, as in any encoder of UTF-8.
  return value === '' || DOTS.test(value) ? null : encodeURIComponent(Buffer.from(value).toString());
}
