import { describe, expect, it } from 'vitest';
import type { CrawlCode } from '../verdict/crawl-words.ts';
import { type Answer, holdForLists, pauseAfterHold, tallyAnswers } from './hold-run.ts';

const READ = { ok: true, items: 3, skipped: false, note: '' };
const SHRUNK = { ...READ, ok: false };
const FAILED = { ok: false, items: null, skipped: false, note: '' };
const PAID = { ...FAILED, skipped: true };

describe('a run is held (L81)', () => {
  it.each<[string, readonly (typeof FAILED | typeof READ)[], string | null]>([
    ['no list was read', [FAILED, FAILED, PAID], 'no_list_read'],
    ['one was', [FAILED, READ], null],
    ['one shrank', [FAILED, SHRUNK], null],
    ['none is read on purpose', [PAID], null],
    ['there is none', [], null],
  ])('by its lists: %s', (_, sources, expected) => {
    expect(holdForLists(sources)).toBe(expected);
  });

  it.each<[string, Answers, string | null]>([
    ['everything was unreachable', hosts(20, 'unreachable'), 'most_unheard'],
    [
      'nothing was heard, in four ways',
      [
        ...hosts(3, 'timeout', 'b.example'),
        ...hosts(3, 'unreachable', 'c.example'),
        ...hosts(3, 'name_not_found', 'd.example'),
        ...hosts(3, 'host_silent', 'e.example'),
      ],
      'most_unheard',
    ],
    [
      'more than half of the hosts',
      [...hosts(11, 'timeout'), ...hosts(10, 'price_ok', 'b.example')],
      'most_unheard',
    ],
    ['half of them', [...hosts(10, 'timeout'), ...hosts(10, 'price_ok', 'b.example')], null],
    ['too few endpoints to tell', hosts(9, 'timeout'), null],
    ['one host with as many', urls('a.example', 10, 'timeout'), 'most_unheard'],
    [
      'hosts without a request do not count',
      [
        ...hosts(11, 'timeout'),
        ...hosts(10, 'price_ok', 'b.example'),
        ...hosts(50, 'path_template', 'c.example'),
        ...hosts(5, 'ssrf_blocked', 'd.example'),
      ],
      'most_unheard',
    ],
    ['errors of sellers are answers', hosts(20, 'server_error'), null],
    ['nothing was listed', [], null],
    [
      'one dead host with more endpoints than all others',
      [...urls('dead.example', 100, 'name_not_found'), ...hosts(2, 'price_ok')],
      null,
    ],
    [
      'nor has it more weight by its ports',
      [
        ...Array.from({ length: 100 }, (_, n) => answer(`https://dead.example:${n + 1000}/`, 'timeout')),
        ...hosts(2, 'price_ok'),
      ],
      null,
    ],
    [
      'a network that went away after the first answer of each host',
      [
        ...urls('a.example', 9, 'timeout'),
        ...urls('a.example', 1, 'price_ok'),
        ...urls('b.example', 9, 'timeout'),
      ],
      'most_unheard',
    ],
    [
      'hosts of which half was heard',
      [...urls('a.example', 10, 'timeout'), ...urls('a.example', 10, 'price_ok')],
      null,
    ],
    [
      'names that anybody invents below one domain',
      [
        ...Array.from({ length: 100 }, (_, n) => answer(`https://${n}.wild.example/`, 'timeout')),
        ...hosts(2, 'price_ok'),
      ],
      null,
    ],
    [
      'addresses of one site of IPv6, which has as many as there are sellers',
      [
        ...Array.from({ length: 100 }, (_, n) => answer(`https://[2001:db8:1:2::${n + 1}]/`, 'timeout')),
        ...hosts(2, 'price_ok'),
      ],
      null,
    ],
    [
      'addresses of IPv6 at several sites',
      Array.from({ length: 20 }, (_, n) =>
        answer(`https://[2001:db8:${n + 1}::1]/`, n < 9 ? 'price_ok' : 'timeout'),
      ),
      'most_unheard',
    ],
    [
      'addresses, which are no names of a domain',
      Array.from({ length: 20 }, (_, n) => answer(`https://192.0.2.${n}/`, n < 9 ? 'price_ok' : 'timeout')),
      'most_unheard',
    ],
  ])('by its answers: %s', (_, answers, expected) => {
    const tally = tallyAnswers();
    for (const one of answers) tally.add(one, false);
    expect(tally.holdReason()).toBe(expected);
  });

  it.each<[string, Answers, Answers, string | null]>([
    [
      'hosts that were never heard do not count',
      hosts(10, 'price_ok'),
      hosts(99, 'name_not_found', 'b.example'),
      null,
    ],
    ['not even when they answer', hosts(10, 'timeout'), hosts(99, 'price_ok', 'b.example'), 'most_unheard'],
    [
      'all count while few were heard before',
      hosts(9, 'price_ok'),
      hosts(10, 'timeout', 'b.example'),
      'most_unheard',
    ],
  ])('of those that the run before has heard: %s', (_, known, unknown, expected) => {
    const tally = tallyAnswers();
    for (const one of known) tally.add(one, true);
    for (const one of unknown) tally.add(one, false);
    expect(tally.holdReason()).toBe(expected);
  });

  it.each<[string, number | null, number]>([
    ['half an hour at first', null, 30],
    ['twice as long after another one', 30, 60],
    ['and again', 60, 120],
    ['a day at most', 16 * 60, 24 * 60],
    ['and stays there', 24 * 60, 24 * 60],
  ])('the pause is %s', (_, before, minutes) => {
    expect(pauseAfterHold(before === null ? null : before * 60_000)).toBe(minutes * 60_000);
  });
});

type Answers = readonly Answer[];

function answer(url: string, code: CrawlCode): Answer {
  return { url, code };
}

/** One endpoint of each of many hosts, each with a domain of its own. */
function hosts(count: number, code: CrawlCode, domain = 'a.example'): Answers {
  return Array.from({ length: count }, (_, n) => answer(`https://host-${n}-${domain}/x`, code));
}

/** Many endpoints of one host. */
function urls(host: string, count: number, code: CrawlCode): Answers {
  return Array.from({ length: count }, (_, n) => answer(`https://${host}/${code}/${n}`, code));
}
