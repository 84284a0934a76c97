import type { Service } from '../../core/catalog/read-catalog.ts';
import { memoizeFor } from '../../core/concurrency/memoize-for.ts';
import { type SpotCheckPorts, type SpotCheckResult, spotCheck } from '../../flows/check/spot-check.ts';
import type { RankCatalog } from '../../flows/lookup/rank-catalog.ts';
import type { QuotaLeft } from '../../flows/quota/quota-left.ts';
import { type LatelyPorts, readLately } from '../../flows/read/read-lately.ts';
import type { Html } from '../../pages/frame/layout.ts';
import type { FormFault } from '../../pages/front/check-form.ts';
import {
  blockedNotice,
  elsewhereNotice,
  faultNotice,
  limitNotice,
  priceNotice,
  unsellableNotice,
} from '../../pages/front/check-notices.ts';
import { frontPage } from '../../pages/front/front-page.ts';
import type { Clock } from '../../ports/clock.ts';
import { API_CATALOG_PATH } from '../../wire/openapi/api-catalog.ts';
import { type CheckForm, readCheckForm, readFormRequest, shownForm } from '../../wire/requests/check-form.ts';
import {
  type Answer,
  answer,
  answerProblem,
  type Handler,
  type Headers,
  NO_STORE,
} from '../exchange/answer.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { HTML_TYPE, SCRIPTED_HTML_HEADERS } from '../exchange/html-headers.ts';
import { rateHeaders } from '../exchange/rate-headers.ts';
import { readFormBody } from '../exchange/read-body.ts';
import type { CrawlPages } from './crawl-pages.ts';
import { freeShares, unlessStoreFails } from './quota-left.ts';

export interface CheckPageParts extends Pick<Clock, 'now'> {
  readonly check: SpotCheckPorts;
  readonly quotaLeft: QuotaLeft;
  readonly latestRun: CrawlPages['latest'];
  readonly lately: LatelyPorts;
  readonly rankCatalog: RankCatalog;
  readonly example: Service | null;
}

/** The form and what surrounds it. */
interface Shown {
  readonly status: number;
  readonly form: CheckForm;
  readonly fault?: FormFault;
  readonly notice?: Html;
  readonly headers?: Headers;
}

type Show = (exchange: Exchange, shown: Shown) => Promise<Answer>;

/** The front page and its form. Viewing a page never probes and never uses a free call; only a POST of the form does. */
export function checkRoutes(parts: CheckPageParts): { readonly front: Handler; readonly check: Handler } {
  const show = createShow(parts);
  return {
    front: (exchange) => {
      const form = shownForm(readCheckForm(exchange.query));
      // A page with a prefilled URL should not be indexed.
      const headers: Headers = exchange.query === '' ? {} : { 'x-robots-tag': 'noindex' };
      return show(exchange, { status: 200, form, headers });
    },
    check: async (exchange) => {
      const body = await exchange.idle(readFormBody(exchange));
      if (body.kind === 'problem') return answerProblem(exchange, body.problem, body.headers);
      return check(exchange, body.text, show, parts);
    },
  };
}

async function check(exchange: Exchange, text: string, show: Show, parts: CheckPageParts): Promise<Answer> {
  const form = shownForm(readCheckForm(text));
  if (!isSameOrigin(exchange)) return show(exchange, { status: 403, form, notice: elsewhereNotice() });
  const reading = readFormRequest(text);
  if (reading.kind === 'bad_request') {
    const fault = { field: reading.field, message: reading.message };
    return show(exchange, { status: 400, form, fault, notice: faultNotice(fault) });
  }
  const caller = { address: exchange.callerAddress(), client: null };
  const request = { ...reading.value.check, selfTest: false };
  const at = parts.now();
  const result = await spotCheck(request, { caller, ...NO_PAYMENT }, parts.check);
  if (result.kind === 'free') return toReceipt(exchange, request.mode, result, at);
  return show(exchange, { form, ...withoutReceipt(exchange, form, result) });
}

/**
 * Another site must not be able to use a visitor's free check (gap L40). Programs that are not browsers send no origin, and have
 * a free quota of their own.
 */
function isSameOrigin({ header }: Exchange): boolean {
  const site = header('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = header('origin');
  return origin === null || (URL.canParse(origin) && new URL(origin).host === header('host'));
}

/** A form takes no payment, so no paid answer is rendered. */
const NO_PAYMENT = { offered: { kind: 'none' }, render: () => '' } as const;

/** Redirects to the receipt, so that its address can be shared and a reload does not check again. */
function toReceipt(
  exchange: Exchange,
  mode: 'live' | 'dry-run',
  { receipt, quota }: Extract<SpotCheckResult, { kind: 'free' }>,
  at: Date,
): Answer {
  exchange.facts.tier = 'free';
  exchange.cost.reads = 0;
  exchange.facts.verdict = receipt.verdict;
  exchange.facts.reason = receipt.reason;
  const policy = mode === 'dry-run' ? 'dry-runs' : 'free-checks';
  const headers = { ...rateHeaders(policy, quota, at), location: `/v1/receipts/${receipt.id}` };
  return answer(exchange, 303, '', headers);
}

function withoutReceipt(
  { links, facts }: Exchange,
  form: CheckForm,
  result: Exclude<SpotCheckResult, { kind: 'free' }>,
): Pick<Shown, 'status' | 'notice' | 'headers'> {
  switch (result.kind) {
    case 'blocked':
      facts.code = 'ssrf_blocked';
      return { status: 400, notice: blockedNotice() };
    case 'rate_limited': {
      const { by, retryAfterSeconds } = result;
      const headers = { 'retry-after': String(retryAfterSeconds) };
      return { status: 429, notice: limitNotice(by, retryAfterSeconds), headers };
    }
    case 'payment_required':
      facts.tier = 'unpaid';
      // Not a 402: this page takes no payment, and a 402 would promise terms (gap L44).
      return { status: 200, notice: priceNotice(result.price, form, links.spotCheck) };
    case 'no_wallet':
      return { status: 200, notice: unsellableNotice(form) };
    default:
      throw new Error(`a form without a key or a payment ended as ${result.kind}`);
  }
}

const HEADERS: Headers = {
  ...SCRIPTED_HTML_HEADERS,
  // The page shows what the caller has left.
  ...NO_STORE,
  'content-type': HTML_TYPE,
  link: `</llms.txt>; rel="describedby", <${API_CATALOG_PATH}>; rel="api-catalog"`,
};

/** New checks show on the front page after at most this long. */
const LATELY_FOR_MS = 5_000;

function createShow(parts: CheckPageParts): Show {
  const { latestRun, quotaLeft, check, example, lately, rankCatalog, now } = parts;
  const readOnce = memoizeFor(
    async () => readLately(await latestRun(), lately),
    LATELY_FOR_MS,
    () => now().getTime(),
  );
  return async (exchange, { status, form, fault = null, notice = null, headers = {} }) => {
    const [run, recent, ranking, left] = await Promise.all([
      unlessStoreFails(latestRun),
      unlessStoreFails(readOnce),
      unlessStoreFails(rankCatalog),
      freeShares(exchange, quotaLeft, check.payments),
    ]);
    const data = { run, lately: recent, ranked: ranking?.ranked ?? [], example, now: now() };
    const page = await frontPage({ links: exchange.links, ...data, left, form, fault, notice });
    return answer(exchange, status, page, { ...HEADERS, ...headers });
  };
}
