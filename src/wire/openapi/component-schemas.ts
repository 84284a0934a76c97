import * as z from 'zod';
import { correctionsResponse } from '../log/corrections-response.ts';
import { mcpAnswer, mcpBatch, mcpBatchAnswer, mcpError, mcpMessage } from '../mcp/shapes.ts';
import { paymentObject } from '../payment/payment-object.ts';
import {
  paymentRequiredShape,
  paymentRequiredV1Shape,
  paymentRequirement,
} from '../payment/payment-required.ts';
import { signedDocument } from '../requests/seller-request.ts';
import { exemptAccess, freeAccess, lookupAccess, paidAccess } from '../responses/access.ts';
import { byUrlResponse } from '../responses/by-url-response.ts';
import {
  crawlReceiptShape,
  fullCrawlReceipt,
  historyEntry,
  singleCrawlReceipt,
  skipRowShape,
} from '../responses/crawl-receipt-json.ts';
import { receiptsSummary, skipFilterShape, skipsSummary } from '../responses/crawl-summary-json.ts';
import { diagnosticShape } from '../responses/diagnostics-json.ts';
import { endpointChange, hostResponse } from '../responses/hosts/host-json.ts';
import { crawledEndpoint, partService, runCount } from '../responses/hosts/part-shapes.ts';
import { payeeResponse } from '../responses/hosts/payee-json.ts';
import {
  expectedShape,
  listedReceipt,
  listing,
  live402,
  liveDemand,
  liveReceiptShape,
  receiptListing,
} from '../responses/live-receipt-json.ts';
import {
  factsOnlyItem,
  lastCheck,
  lookupResponse,
  paidReceipt,
  resultItem,
} from '../responses/lookup-response.ts';
import { packResponse } from '../responses/pack-response.ts';
import { problemCode, problemShape } from '../responses/problem.ts';
import { proofShape } from '../responses/proofs/proof-response.ts';
import { statementShape } from '../responses/proofs/statement-shape.ts';
import {
  replyAnswer,
  replyShape,
  retestAnswer,
  unwatchedAnswer,
  watchedAnswer,
  withdrawnAnswer,
} from '../responses/seller-response.ts';
import { serviceResponse } from '../responses/service-response.ts';
import { servicesResponse } from '../responses/services-response.ts';
import { closedList, moment, needsInput, usd, usedInput, verdict } from '../responses/shapes.ts';
import { snapshotResponse } from '../responses/snapshot-json.ts';
import { freeShape, paidShape, probeStamp, reasonCode } from '../responses/spot-check-response.ts';
import { vantagesShape } from '../responses/vantages-json.ts';
import { webhookEvent } from '../responses/webhook-event.ts';
import { type JsonObject, namedSchemas } from './json-schema.ts';

/** Public about a withdrawn receipt. */
const withdrawalShape = z.object({
  assay: z.literal('withdrawn/1').describe('Format.'),
  at: moment.describe('Time of the withdrawal, UTC.'),
  because: closedList('Why.', {
    secret: 'it showed a secret',
    personal: 'it showed personal data',
    legal: 'the law required it',
    error: 'it was published by mistake',
  }),
  id: z.string().describe('Id of the receipt.'),
  sha256: z.base64().describe('SHA-256 of the statement that is gone, base64.'),
});

const blockedProblem = problemShape
  .extend({
    verdict: z.literal('skip').describe('Do not pay.'),
    reason: z.literal('ssrf_blocked').describe('The URL is blocked, nothing was fetched.'),
    payment_terms_sha256: z.null().describe('Null: nothing is approved.'),
    receipt_id: z.null().describe('Null: nothing is stored.'),
    receipt_url: z.null().describe('Null: nothing is stored.'),
    quoted_price_usd: z.null().describe('Null: nothing was fetched.'),
    claimed_price_usd: usd.nullable().describe('The claimed_price that was sent; null if none.'),
  })
  .describe('A blocked URL: problem body with a verdict.');

const noReceiptProblem = problemShape
  .extend({
    url: z.string().describe('The URL that was asked for.'),
    check_now: z.string().describe('GET this URL for a dry-run check; then there is a receipt.'),
  })
  .describe('A URL without a receipt: problem body with the address of a dry-run check.');

const withdrawnProblem = problemShape
  .extend({ withdrawal: withdrawalShape.describe('What remains of the receipt.') })
  .describe('A withdrawn receipt: problem body with what remains of it.');

const health = z.object({
  ok: z.literal(true).describe('Always true.'),
  status: z.string().describe('Always ok.'),
  version: z.string().describe('Version of the program.'),
  interface: z.string().describe('Version of the interface.'),
});

const readiness = z.object({
  ok: z.literal(true).describe('Always true; a process that is not ready answers 503.'),
  status: z.string().describe('Always ok.'),
  version: z.string().describe('Version of the program.'),
  checks: z.record(z.string(), z.string()).describe('What was checked, and its result.'),
});

/** Named schemas of the document; others refer to them by name. */
export const SHAPES = {
  Verdict: verdict,
  ReasonCode: reasonCode,
  Vantages: vantagesShape,
  LookupResponse: lookupResponse,
  ResultItem: resultItem,
  FactsOnlyItem: factsOnlyItem,
  LastCheck: lastCheck,
  PaidReceipt: paidReceipt,
  Service: serviceResponse,
  Services: servicesResponse,
  LookupAccess: lookupAccess,
  FreeAccess: freeAccess,
  PaidAccess: paidAccess,
  ExemptAccess: exemptAccess,
  SpotCheckFree: freeShape,
  SpotCheckPaid: paidShape,
  PaymentObject: paymentObject,
  ProbeStamp: probeStamp,
  Listing: listing,
  LiveDemand: liveDemand,
  Live402: live402,
  Expected: expectedShape,
  UsedInput: usedInput,
  NeedsInput: needsInput,
  LiveReceipt: liveReceiptShape,
  ListedReceipt: listedReceipt,
  ReceiptListing: receiptListing,
  CrawlReceipt: crawlReceiptShape,
  SingleCrawlReceipt: singleCrawlReceipt.extend({ reply: replyShape.optional() }),
  SingleLiveReceipt: liveReceiptShape.extend({ reply: replyShape.optional() }),
  Statement: statementShape,
  Proof: proofShape,
  Reply: replyShape,
  FullCrawlReceipt: fullCrawlReceipt,
  Diagnostic: diagnosticShape,
  CrawlHistoryEntry: historyEntry,
  SkipRow: skipRowShape,
  SkipsSummary: skipsSummary,
  SellerRequest: signedDocument,
  Retest: retestAnswer,
  ReplyAnswer: replyAnswer,
  WithdrawnReply: withdrawnAnswer,
  Watch: watchedAnswer,
  Unwatched: unwatchedAnswer,
  WebhookEvent: webhookEvent,
  Snapshot: snapshotResponse,
  Corrections: correctionsResponse,
  Host: hostResponse,
  Payee: payeeResponse,
  CrawledEndpoint: crawledEndpoint,
  RunCount: runCount,
  PartService: partService,
  EndpointChange: endpointChange,
  SkipFilter: skipFilterShape,
  ReceiptsSummary: receiptsSummary,
  ReceiptsByUrl: byUrlResponse,
  Tasks: z.record(z.string(), z.array(z.string())).describe('Task name to the ids of its services'),
  Pack: packResponse,
  PaymentRequired: paymentRequiredShape,
  PaymentRequirement: paymentRequirement,
  PaymentRequiredV1: paymentRequiredV1Shape,
  McpMessage: mcpMessage,
  McpBatch: mcpBatch,
  McpAnswer: mcpAnswer,
  McpBatchAnswer: mcpBatchAnswer,
  McpError: mcpError,
  ProblemCode: problemCode,
  Problem: problemShape,
  BlockedProblem: blockedProblem,
  NoReceiptProblem: noReceiptProblem,
  WithdrawnProblem: withdrawnProblem,
  Health: health,
  Readiness: readiness,
} satisfies Record<string, z.ZodType>;

export type ShapeName = keyof typeof SHAPES;

export function schemaRef(name: ShapeName | 'SpotCheckRequest'): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

export function componentSchemas(): Record<string, JsonObject> {
  return namedSchemas(SHAPES);
}
