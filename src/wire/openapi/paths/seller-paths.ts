import type { z } from 'zod';
import { sellerStatement } from '../../requests/seller-request.ts';
import { type Links, watchFeedUrl } from '../../responses/links.ts';
import type {
  replyAnswer,
  retestAnswer,
  unwatchedAnswer,
  watchedAnswer,
  withdrawnAnswer,
} from '../../responses/seller-response.ts';
import { schemaRef } from '../component-schemas.ts';
import type { Example } from '../examples/example.ts';
import { CHECKED_AT, CRAWL_ID, ENDPOINT, LIVE_ID } from '../examples/example-values.ts';
import { exampled } from '../examples/known-service.ts';
import { CACHED, type Frame, IF_NONE_MATCH, type Paths } from '../frame.ts';
import { inputSchemaOf, type JsonObject } from '../json-schema.ts';
import { BY_URL_QUERY } from '../parameters.ts';
import { headerRefs } from '../response-headers.ts';
import { JSON_TYPE, NOT_MODIFIED, ok, problems } from '../responses.ts';

/** For owners of endpoints. */
export function sellerPaths(frame: Frame): Paths {
  return { '/v1/sellers': { post: sellers(frame) }, '/v1/watch.atom': { get: watchFeed(frame) } };
}

function sellers({ links }: Frame): JsonObject {
  return {
    operationId: 'seller',
    tags: ['Sellers'],
    summary:
      'A signed request of the owner of an endpoint: check it again at once, reply in public, watch it',
    description:
      'The owner signs with an Ed25519 key whose token, assay-verify=ed25519:<key>, is a line of https://<host>/.well-known/assay-verify.txt or a TXT record at _assay.<host>. The statement is a JSON object with action, url, at and, optionally, method. retest sends a new unpaid request, judges it against the listing and stores a public receipt; it is never an approval. reply publishes note, at most 500 characters, on the receipts of the URL and on its row of the skips, as the words of the seller; withdraw_reply removes it. watch has webhook, an https URL, told about changes of verdict, price or payee with the WebhookEvent schema and the headers Assay-Timestamp and Assay-Signature: v1=<hex HMAC-SHA256 of timestamp.body>; unwatch ends all watches of the URL.',
    security: [],
    requestBody: {
      description: 'At most 8 kB.',
      required: true,
      content: { [JSON_TYPE]: { schema: schemaRef('SellerRequest') } },
    },
    responses: {
      ...ok('Done.', {
        retest: retestExample(links),
        reply: REPLY,
        withdrawn: WITHDRAWN,
        watched: watchedExample(links),
        unwatched: UNWATCHED,
      }),
      ...problems(
        links,
        [
          'bad_request',
          'ssrf_blocked',
          'not_proven',
          'statement_used',
          'watch_limit',
          'body_too_large',
          'unsupported_media_type',
          'target_busy',
          'retest_limit',
          'seller_limit',
          'store_unavailable',
        ],
        { field: 'statement.url', detail: 'statement.url must be an absolute http or https URL.' },
      ),
    },
  };
}

/** What is signed: JSON text in another member, so it is described beside it. */
export const SELLER_STATEMENT: JsonObject = {
  ...inputSchemaOf(sellerStatement),
  description: 'What the owner of an endpoint asks for.',
};

/** What we send to an owner that has registered a webhook. */
export const WEBHOOKS: JsonObject = {
  endpointChanged: {
    post: {
      operationId: 'endpointChanged',
      tags: ['Sellers'],
      summary: 'Verdict, price or payee of a watched endpoint has changed',
      description:
        'Assay-Timestamp is the time of the attempt, Assay-Signature is v1= and the hex HMAC-SHA256 of timestamp.body with the key of the watch. Sent again after 1, 5, 30, 120 and 720 minutes.',
      security: [],
      parameters: [
        webhookHeader('Assay-Timestamp', 'Unix time of the attempt, seconds.'),
        webhookHeader('Assay-Signature', 'v1= and the hex HMAC-SHA256 of timestamp.body.'),
      ],
      requestBody: { required: true, content: { [JSON_TYPE]: { schema: schemaRef('WebhookEvent') } } },
      responses: {
        '2XX': { description: 'Taken.' },
        '4XX': { description: 'Not delivered; sent again later, as after any other answer.' },
      },
    },
  },
};

function webhookHeader(name: string, description: string): JsonObject {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}

function watchFeed({ links, known }: Frame): JsonObject {
  return {
    operationId: 'watchFeed',
    tags: ['Sellers'],
    summary: 'Atom feed of changes at one URL: verdict, price or payee',
    description:
      'From the weekly crawl and from checks without claims of the caller, with the listed method, else GET. It never sends a probe.',
    security: [],
    parameters: [...exampled(BY_URL_QUERY, known), IF_NONE_MATCH],
    responses: {
      200: {
        description: 'Up to 50 entries, newest first; the id of an entry is the address of its receipt.',
        headers: headerRefs('X-Request-Id', ...CACHED),
        content: {
          'application/atom+xml': { schema: { type: 'string' }, example: '<?xml version="1.0"?> ...' },
        },
      },
      ...NOT_MODIFIED,
      ...problems(links, ['bad_request', 'store_unavailable'], { field: 'url', detail: 'url must be sent.' }),
    },
  };
}

const REPLY: Example = {
  shape: 'ReplyAnswer',
  summary: 'The reply is public',
  value: {
    action: 'reply',
    url: ENDPOINT,
    note: 'The list has our old price; we have asked it to update.',
    at: CHECKED_AT,
  } satisfies z.infer<typeof replyAnswer>,
};

const WITHDRAWN: Example = {
  shape: 'WithdrawnReply',
  summary: 'The reply is gone',
  value: { action: 'withdraw_reply', url: ENDPOINT, withdrawn: true } satisfies z.infer<
    typeof withdrawnAnswer
  >,
};

const UNWATCHED: Example = {
  shape: 'Unwatched',
  summary: 'One watch was ended',
  value: { action: 'unwatch', url: ENDPOINT, ended: 1 } satisfies z.infer<typeof unwatchedAnswer>,
};

function watchedExample(links: Links): Example {
  const value: z.infer<typeof watchedAnswer> = {
    action: 'watch',
    url: ENDPOINT,
    method: null,
    watch_id: '0a1b2c3d4e5f0a1b2c3d4e5f',
    webhook: 'https://hooks.example.com/assay',
    signing_key: 'c190b9a10823c2cb052dde6a2b4269eb66c82ceb0292011d2e1b52596e5944f6',
    until: '2027-02-13T12:00:00.000Z',
    feed: watchFeedUrl(links, ENDPOINT, null),
  };
  return { shape: 'Watch', summary: 'The webhook is told about changes', value };
}

function retestExample(links: Links): Example {
  const value: z.infer<typeof retestAnswer> = {
    action: 'retest',
    url: ENDPOINT,
    method: 'GET',
    verdict: 'pay',
    reason: 'The live 402 asks $0.01, as expected.',
    checked_at: CHECKED_AT,
    receipt_url: links.receipt(LIVE_ID),
    skips_row: `${links.skips}#${CRAWL_ID}`,
  };
  return { shape: 'Retest', summary: 'Checked again', value };
}
