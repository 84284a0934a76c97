import { type ListedEndpoint, listingsOf, otherSpelling } from '../../core/crawl/listed-endpoint.ts';
import {
  firstRequest,
  otherRequests,
  type PlannedRequest,
  secondRequest,
} from '../../core/input/probe-plan.ts';
import { tellingAnswer, tellingOther } from '../../core/input/telling-answer.ts';
import { usedInput } from '../../core/input/used-input.ts';
import {
  type CrawledEndpoint,
  type CrawlQuestion,
  type CrawlReceipt,
  crawlReceipt,
} from '../../core/receipt/crawl-receipt.ts';
import { crawlReceiptId } from '../../core/receipt/receipt-id.ts';
import { SALT_BYTES, saltOf } from '../../core/statement/statement.ts';
import type { Views } from '../../core/vantage/view.ts';
import { countedListing } from '../../core/verdict/counted-listing.ts';
import { expectationFor } from '../../core/verdict/expectation.ts';
import { judgeViews } from '../../core/verdict/judge-views.ts';
import { isServed, type Observation, type ObservedAnswer, observe } from '../../core/verdict/observation.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import type { ProbeRequest } from '../../ports/prober.ts';
import type { Vantages } from '../../ports/vantages.ts';
import type { ProbePorts } from './crawl-ports.ts';
import type { ListeningProber } from './silent-host.ts';

const NO_CLAIM = { price: null, payTo: null, network: null };

export interface CheckListedPorts
  extends Pick<ProbePorts, 'now' | 'keyOf' | 'openEndpoints' | 'entropy' | 'vantages'> {
  readonly prober: Pick<ListeningProber, 'probe' | 'isSilent'>;
}

/** One unpaid request, a second one with input after an answer that may want some (gap G100), and the same judge as everywhere. */
export async function checkListed(
  runId: string,
  listed: ListedEndpoint,
  ports: CheckListedPorts,
): Promise<CrawlReceipt> {
  const { prober, now } = ports;
  const id = crawlReceiptId(runId, listed.target.normalized);
  const first = firstRequest(listed);
  const listing = countedListing(listingsOf(listed), []);
  const stated = { run: runId, salt: saltOf(ports.entropy(SALT_BYTES)) };
  const question = { ...stated, listedMethod: null, takesPath: false };
  const nothing = { id, listed, listing, offer: null, observation: null, question };
  if (first.kind === 'path_template') return crawlReceipt({ ...nothing, checkedAt: now(), finding: first });
  if (prober.isSilent(listed.target))
    return crawlReceipt({ ...nothing, checkedAt: now(), finding: { kind: 'host_silent' } });
  const answer = await ask(first, ports);
  const asked = answer.kind === 'answered' ? await askAgain(first, answer, listed, ports) : null;
  const telling = asked ?? { request: first, answer };
  return conclude({ id, listed: asAsked(listed, telling.request), stated }, telling, ports);
}

/** A request, and the answer that counts. */
interface Telling {
  readonly request: PlannedRequest;
  readonly answer: Observation;
  /** Both methods were tried, so that the other one is no advice. */
  readonly triedBoth?: boolean;
  /** Input of the listing, or the method or spelling of another row, was not tried: a 404 may be about that. */
  readonly leftUntried?: boolean;
}

/** The second and last request, where the first answer leaves something to try. */
async function askAgain(
  first: PlannedRequest,
  answer: ObservedAnswer,
  listed: ListedEndpoint,
  ports: CheckListedPorts,
): Promise<Telling | null> {
  const [other, ...untried] = otherRequests(first, answer, {
    method: listed.otherMethod,
    spelling: otherSpelling(listed),
  });
  const second = secondRequest(first, answer, knownOf(listed));
  // Routers answer 404 to another method or path, and name no parameter: no input helps, and the row that names both may be a stranger's (gap G99).
  const isOtherFirst = other !== undefined && answer.status === 404 && answer.refusal?.missing.length === 0;
  if (second !== null && !isOtherFirst) {
    const again = await askWithInput(second, listed, ports);
    if (again === null) return null;
    const telling = tellingAnswer(answer, again, usedInput(second));
    return { request: telling === again ? second : first, answer: telling };
  }
  if (other === undefined) return null;
  const again = await ask({ ...other, isOnce: true }, ports);
  const telling = tellingOther(answer, again);
  const request = telling === again ? other : first;
  const triedBoth = other.method !== first.method;
  return { request, answer: telling, triedBoth, leftUntried: second !== null || untried.length > 0 };
}

/** Under the spelling that was asked: a receipt of '/x' must not have what '/x/' answered. */
function asAsked(listed: ListedEndpoint, { source, target }: PlannedRequest): ListedEndpoint {
  return source === null ? { ...listed, target } : listed;
}

interface Question {
  readonly id: string;
  readonly listed: ListedEndpoint;
  readonly stated: Pick<CrawlQuestion, 'run' | 'salt'>;
}

/**
 * A skip is published only where nobody else would pay: it costs an honest seller its income. A `pay` from the price of others on needs
 * them, as in a live check: buyers pay by the signed file of the run.
 */
async function conclude(
  question: Question,
  { request, answer: observation, triedBoth = false, leftUntried = false }: Telling,
  { now, vantages }: CheckListedPorts,
): Promise<CrawlReceipt> {
  const answer = { method: request.method, observation, checkedAt: now(), triedBoth, leftUntried };
  const own = crawlReceipt(judged(question, answer));
  if (vantages === undefined || !needsOthers(own, vantages) || !mayAskOthers(request, observation))
    return own;
  const { target, method, body } = request;
  const views = await vantages.ask(body === null ? { target, method } : { target, method, body });
  return crawlReceipt(judged(question, { ...answer, views: { needed: vantages.needed, views } }));
}

function needsOthers({ verdict, quotedPrice }: CrawlReceipt, { fromPrice }: Vantages): boolean {
  return verdict === 'skip' || (verdict === 'pay' && quotedPrice !== null && quotedPrice >= fromPrice);
}

/** Input is sent by others only where we know that it is not served for nothing; an address that is refused, by nobody. */
function mayAskOthers(request: PlannedRequest, observation: Observation): boolean {
  if (observation.kind === 'blocked') return false;
  const isPaywall = observation.kind === 'answered' && observation.status === 402;
  return isPaywall || usedInput(request) === null;
}

function knownOf({ input }: ListedEndpoint) {
  return { caller: null, listed: input, mayChangeMethod: true };
}

async function ask(
  { isOnce = false, ...request }: PlannedRequest & Pick<ProbeRequest, 'isOnce'>,
  { prober, now }: CheckListedPorts,
): Promise<Observation> {
  const { target, method, body } = request;
  const outcome = await prober.probe({ target, method, isOnce, ...(body === null ? {} : { body }) });
  return observe(outcome, now(), usedInput(request));
}

/** Null for an endpoint that answered input for nothing before. */
async function askWithInput(
  request: PlannedRequest,
  { target }: ListedEndpoint,
  ports: CheckListedPorts,
): Promise<Observation | null> {
  const { openEndpoints, keyOf, now } = ports;
  const urlKey = keyOf(target.normalized);
  if (await openEndpoints.isOpen(urlKey)) return null;
  const answer = await ask({ ...request, isOnce: true }, ports);
  if (isServed(answer)) await openEndpoints.remember(urlKey, now());
  return answer;
}

interface CrawlAnswer {
  readonly method: ProbeMethod;
  readonly observation: Observation;
  readonly checkedAt: Date;
  readonly triedBoth: boolean;
  readonly leftUntried: boolean;
  readonly views?: Views;
}

function judged({ id, listed, stated }: Question, answer: CrawlAnswer): CrawledEndpoint {
  const { method, observation, checkedAt, triedBoth, leftUntried, views = null } = answer;
  const claims = { request: NO_CLAIM, listed: listingsOf(listed), catalog: [] };
  const { expected, listing } = expectationFor(claims, observation);
  const listedMethod = triedBoth ? method : (listed.input?.method ?? listed.method);
  const takesPath = leftUntried || (listed.input !== null && listed.input.path.length > 0);
  const question = { ...stated, listedMethod, takesPath };
  const asked = { ...question, method };
  const { verdict, offer } = judgeViews(observation, views, asked, expected, checkedAt);
  return {
    id,
    listed,
    ...(listing === null ? {} : { listing }),
    finding: { kind: 'judged', verdict },
    offer,
    method,
    observation,
    ...(views === null ? {} : { views }),
    checkedAt,
    question,
  };
}

/** The receipt under another id, after a collision (gap G54). */
export function renamed(
  receipt: CrawlReceipt,
  runId: string,
  normalized: string,
  attempt: number,
): CrawlReceipt {
  return { ...receipt, id: crawlReceiptId(runId, normalized, attempt) };
}
