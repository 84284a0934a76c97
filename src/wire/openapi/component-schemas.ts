import { z } from 'zod';
import { correctionsResponse } from '../log/corrections-response.ts';
import { mcpAnswer, mcpError, mcpMessage } from '../mcp/shapes.ts';
import { paymentObject } from '../payment/payment-object.ts';
import { paymentRequiredShape, paymentRequirement } from '../payment/payment-required.ts';
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
import { listedReceipt, liveReceiptShape, receiptListing } from '../responses/live-receipt-json.ts';
import { factsOnlyItem, lastCheck, lookupResponse, resultItem } from '../responses/lookup-response.ts';
import { packResponse } from '../responses/pack-response.ts';
import { problemShape } from '../responses/problem.ts';
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
import { usd, verdict } from '../responses/shapes.ts';
import { snapshotResponse } from '../responses/snapshot-json.ts';
import { freeShape, paidShape, probeStamp, reasonCode } from '../responses/spot-check-response.ts';
import { webhookEvent } from '../responses/webhook-event.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Named schemas of the document; others refer to them by name. */
export const SHAPES = {
  Verdict: verdict,
  ReasonCode: reasonCode,
  LookupResponse: lookupResponse,
  ResultItem: resultItem,
  FactsOnlyItem: factsOnlyItem,
  LastCheck: lastCheck,
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
  SkipFilter: skipFilterShape,
  ReceiptsSummary: receiptsSummary,
  ReceiptsByUrl: byUrlResponse,
  Tasks: z.record(z.string(), z.array(z.string())).describe('Task name to the ids of its services'),
  Pack: packResponse,
  PaymentRequired: paymentRequiredShape,
  PaymentRequirement: paymentRequirement,
  McpMessage: mcpMessage,
  McpAnswer: mcpAnswer,
  McpError: mcpError,
  Problem: problemShape,
  BlockedProblem: problemShape
    .extend({
      verdict: z.literal('skip'),
      reason: z.literal('ssrf_blocked'),
      payment_terms_sha256: z.null(),
      receipt_id: z.null(),
      receipt_url: z.null(),
      quoted_price_usd: z.null(),
      claimed_price_usd: usd.nullable(),
    })
    .describe('A blocked URL: problem body with a verdict'),
  NoReceiptProblem: problemShape
    .extend({ url: z.string(), check_now: z.string() })
    .describe('A URL without a receipt: problem body with the address of a dry-run check'),
  Health: z.object({ ok: z.literal(true), status: z.string(), version: z.string(), interface: z.string() }),
  Readiness: z.object({
    ok: z.literal(true),
    status: z.string(),
    version: z.string(),
    checks: z.record(z.string(), z.string()),
  }),
} satisfies Record<string, z.ZodType>;

export type ShapeName = keyof typeof SHAPES;

export function schemaRef(name: ShapeName | 'SpotCheckRequest'): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

export function componentSchemas(): Record<string, JsonObject> {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries(SHAPES)) registry.add(shape, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => plainer(zodSchema, jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id, $schema, ...schema }]) => [name, schema]),
  );
}

/** The parameters of a request as a JSON schema of what a caller sends. */
export function inputSchema(shape: z.ZodObject) {
  const { properties = {}, required = [] } = z.toJSONSchema(shape, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => plainer(zodSchema, jsonSchema),
  });
  return { properties, required };
}

type Converted = z.core.JSONSchema.BaseSchema;

/** Removes what only our own validator needs, and allows members of later versions in answers. */
function plainer(shape: z.core.$ZodTypes, schema: Converted): void {
  const { def } = shape._zod;
  if (def.type === 'object' && def.catchall === undefined) delete schema.additionalProperties;
  if (def.type === 'record') {
    delete schema.propertyNames;
    const { additionalProperties: values } = schema;
    if (typeof values === 'object' && Object.keys(values).length === 0) schema.additionalProperties = true;
  }
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
