import { problemPage } from '../../pages/docs/problem-page.ts';
import { type Answer, answer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { HTML_HEADERS, HTML_TYPE } from './html-headers.ts';
import { prefersHtml } from './prefers-html.ts';

/** A page in place of a problem body, for callers that prefer one. Status and the other headers stay. */
export async function problemForPeople(answered: Answer, exchange: Exchange): Promise<Answer> {
  const { problem, status, headers } = answered;
  if (problem === undefined || !prefersHtml(exchange.header('accept'))) return answered;
  const page = await problemPage(problem, { instance: exchange.id, base: exchange.links.base });
  return answer(exchange, status, page, {
    ...headers,
    ...HTML_HEADERS,
    'content-type': HTML_TYPE,
    'x-robots-tag': 'noindex',
    vary: 'Accept',
  });
}
