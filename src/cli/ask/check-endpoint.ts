import { untilAborted } from '../../core/concurrency/until-aborted.ts';
import { receiptKind } from '../../core/receipt/receipt-id.ts';
import { readSpotCheckRequest } from '../../wire/requests/spot-check-request.ts';
import { EXIT } from '../exit-code.ts';
import type { Asked, Service } from './ask-service.ts';
import { type Unanswered, unanswered } from './asking.ts';
import { type Findings, readCheck, readReceipt, withReceipt } from './findings.ts';
import type { LocalCheck } from './local-check.ts';
import type { Target } from './read-targets.ts';

export type Checked =
  | { readonly kind: 'verdict'; readonly findings: Findings; readonly body: string }
  | Unanswered;

export type CheckEndpoint = (target: Target) => Promise<Checked>;

const CHECK_PATH = '/v1/products/endpoint-spot-check';

function parametersOf({ url, claimedPrice, method, payTo, network }: Target, dryRun: boolean) {
  return {
    url,
    method,
    claimed_price: claimedPrice,
    pay_to: payTo,
    network,
    mode: dryRun ? 'dry-run' : null,
  };
}

export interface AskOptions {
  readonly dryRun: boolean;
  /** Which receipts are read, too: they have what the free shape leaves out. 'uncompared': of what may be an uncompared `pay`. */
  readonly receipts: 'all' | 'uncompared' | 'none';
}

export function checkByService(service: Service, { dryRun, receipts }: AskOptions): CheckEndpoint {
  return async (target) => {
    const asked = await askAbout(target, dryRun, service);
    if (asked.kind !== 'answered') return unanswered(asked, service);
    const check = asked.status === 200 || asked.status === 400 ? readCheck(asked.json) : null;
    // A 400 with a verdict is a URL that is never fetched: to the caller that is a skip (gap G32).
    if (check === null || (asked.status === 400 && check.verdict !== 'skip')) {
      return asked.status === 200 ? notAssay(service) : unanswered(asked, service);
    }
    const told = hasClaim(target) ? { ...check, compared: true } : check;
    const full = await completed(told, receipts, service);
    const mode = dryRun ? 'dry-run' : 'live';
    const findings: Findings = { ...full, mode, url: full.url ?? target.url };
    return { kind: 'verdict', findings, body: asked.text };
  };
}

async function completed(
  check: Findings,
  receipts: AskOptions['receipts'],
  service: Service,
): Promise<Findings> {
  const isOpen = check.verdict === 'pay' && check.compared === null;
  if (receipts === 'none' || (receipts === 'uncompared' && !isOpen)) return check;
  const receipt = await receiptOf(check, service);
  if (receipts === 'all') return withReceipt(check, receipt);
  return { ...check, compared: receipt?.compared ?? null };
}

function hasClaim({ claimedPrice, payTo }: Target): boolean {
  return claimedPrice !== null || payTo !== null;
}

/** An object has no form in a query, so input makes it a POST. */
function askAbout(target: Target, dryRun: boolean, service: Service): Promise<Asked> {
  const parameters = parametersOf(target, dryRun);
  if (target.input === null) return service.ask(CHECK_PATH, parameters);
  return service.ask(CHECK_PATH, {}, {}, JSON.stringify({ ...parameters, input: target.input }));
}

function notAssay({ server }: Service): Unanswered {
  const line = `the service at ${server} did not answer with a check; is it an Assay service?`;
  return { kind: 'refused', exit: EXIT.unreachable, line, body: null };
}

/** By id, from the same service: a link in the answer could lead anywhere. */
async function receiptOf({ receiptId }: Findings, service: Service): Promise<Findings | null> {
  if (receiptId === null || receiptKind(receiptId) !== 'live') return null;
  const asked = await service.ask(`/v1/receipts/${receiptId}`, {});
  return asked.kind === 'answered' && asked.status === 200 ? readReceipt(asked.json) : null;
}

/** Checks from this machine. Parameters go through the service's own parser. */
export function checkLocally(
  check: LocalCheck,
  { dryRun, stop }: { readonly dryRun: boolean; readonly stop: AbortSignal },
): CheckEndpoint {
  const ended = stopped(stop);
  return async (target) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parametersOf(target, dryRun))) {
      if (value !== null) query.append(name, value);
    }
    const reading = readSpotCheckRequest(query.toString());
    if (reading.kind === 'bad_request') {
      return { kind: 'refused', exit: EXIT.usage, line: reading.message, body: null };
    }
    const decision = await Promise.race([check({ ...reading.value.check, selfTest: false }), ended]);
    if (decision === 'stopped') return { kind: 'stopped' };
    const { findings, body } = decision;
    return { kind: 'verdict', findings: { ...findings, url: findings.url ?? target.url }, body };
  };
}

/** A probe in flight may last five more seconds; stopping does not wait for it. */
function stopped(stop: AbortSignal): Promise<'stopped'> {
  return untilAborted(stop).then(() => 'stopped');
}
