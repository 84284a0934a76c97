import { z } from 'zod';
import { readFixture } from '../support/fixture.ts';

const expectation = z.enum(['blocked', 'bad_request', 'allowed_public']);
const records = z.object({ A: z.array(z.string()).optional(), AAAA: z.array(z.string()).optional() });
const zone = records.extend({
  sequence: z.array(records).optional(),
  rcode: z.string().optional(),
  timeout: z.boolean().optional(),
});
const corpus = z.array(
  z.object({
    id: z.string(),
    url: z.string(),
    expect: expectation,
    why: z.string(),
    also_ok: z.array(expectation).default([]),
    template: z.boolean().default(false),
    raw_query: z.string().optional(),
    raw_body: z.string().optional(),
    dns: zone.optional(),
    must_not_dial: z.array(z.string()).default([]),
    must_not_leak: z.array(z.string()).default([]),
    must_escape: z.array(z.string()).default([]),
  }),
);

export type UrlExpectation = z.infer<typeof expectation>;
export type UrlCase = z.infer<typeof corpus>[number];
export type Zone = z.infer<typeof zone>;

export const OWN_HOST = 'assay.example.org';

/** The cases that name a URL; raw queries and bodies need a running service. */
export function urlCorpus(): UrlCase[] {
  return readFixture('ssrf-urls.json', corpus)
    .filter(({ raw_query, raw_body }) => raw_query === undefined && raw_body === undefined)
    .map((entry) => (entry.template ? { ...entry, url: withOwnHost(entry.url) } : entry));
}

function withOwnHost(text: string): string {
  return text
    .replace('{base_url}', `https://${OWN_HOST}`)
    .replace('{base_url_uppercase_host}', `https://${OWN_HOST.toUpperCase()}`)
    .replace('{base_url_trailing_dot_host}', `https://${OWN_HOST}.`);
}

/** Where the corpus leaves a choice, ours is pinned: it may only change on purpose. */
const DECIDED = new Map<string, UrlExpectation>([
  ['u104', 'bad_request'], // user names are refused before the address is looked at (G46)
  ['u105', 'bad_request'],
  ['u106', 'bad_request'],
  ['u112', 'bad_request'],
  ['u448', 'allowed_public'], // an unknown top-level name does not resolve, which is 'unreachable'
  ...['u486', 'u487', 'u492', 'u498', 'u512', 'u513'].map(
    (id): [string, UrlExpectation] => [id, 'bad_request'], // behind a backslash other parsers find another host
  ),
  ['u527', 'bad_request'], // control characters are refused, not dropped
  ['u529', 'bad_request'],
  ['u530', 'bad_request'],
  ['u532', 'bad_request'],
  ['u689', 'bad_request'],
  ['u712', 'bad_request'], // '1e-2' is no plain decimal (G37)
  ['u713', 'allowed_public'], // the older names of networks are understood (G43)
]);

/** The cases that are about how a URL is sent to the running service. */
export function sentCorpus(): UrlCase[] {
  return readFixture('ssrf-urls.json', corpus).filter(
    ({ raw_query, raw_body }) => raw_query !== undefined || raw_body !== undefined,
  );
}

export function decided({ id, expect }: UrlCase): UrlExpectation {
  return DECIDED.get(id) ?? expect;
}
