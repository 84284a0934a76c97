import { type MicroUsd, microUsd } from './money/micro-usd.ts';

/** Every limit by its name. Those of the interface are explained in docs/interface.md. */
export const FREE_LOOKUPS_PER_DAY = 5;
export const LOOKUP_PRICE: MicroUsd = microUsd(20_000n);
export const LOOKUP_RECEIPTS = { min: 1, max: 20, default: 5 } as const;
export const LOOKUP_SERVICES = { min: 1, max: 20, default: 10 } as const;
export const FREE_SPOT_CHECKS_PER_DAY = 1;
export const SPOT_CHECK_PRICE_MIN: MicroUsd = microUsd(10_000n);
export const SPOT_CHECK_PRICE_MAX: MicroUsd = microUsd(250_000n);
export const DRY_RUNS_PER_DAY = 50;
export const PROBE_REUSE_SECONDS = 300;
export const DEADLINE_DEFAULT_SECONDS = 60;
export const PACK_PRICE: MicroUsd = microUsd(9_000_000n);
export const RECEIPTS_PAGE = { min: 1, max: 100, default: 20 } as const;
export const CRAWL_PAGE_SIZE = 500;
export const CRAWL_TIMEOUT_MS = 5_000;
/** After this many requests in a row without an answer, a host gets no more in this run (gap L22). */
export const CRAWL_SILENT_REQUESTS = 30;

/** From the request to the signed answer of another point of view: its own probe, and the way there and back. */
export const VANTAGE_TIMEOUT_MS = 6_500;

/** Ceilings for all names of one address together (gap G02); the operator may change these defaults. */
export const FREE_LOOKUPS_PER_ADDRESS = 100;
export const FREE_SPOT_CHECKS_PER_ADDRESS = 20;
export const DRY_RUNS_PER_ADDRESS = 200;
/** Connections, requests under way, and requests of each kind in a minute, of one address (gap G102). */
export const CONNECTIONS_PER_ADDRESS = 200;
export const REQUESTS_PER_ADDRESS = 20;
export const READS_PER_ADDRESS_MINUTE = 1_200;
/** Verified payers (gap G08). */
export const PAID_SPOT_CHECKS_PER_HOUR = 30;
/** New probes that end in a price and no answer, per address and UTC hour (gap G31). */
export const PRICED_PROBES_PER_HOUR = 60;
/** Per target, for all callers together (gap G38), and same-host redirects after the first request (gap G45). */
export const PROBES_IN_FLIGHT_PER_HOST = 3;
/** The crawl leaves one of them to callers (gaps G38 and G76). */
export const CRAWL_SLOTS_PER_TARGET = PROBES_IN_FLIGHT_PER_HOST - 1;
export const PROBES_PER_HOST_MINUTE = 30;
/**
 * Per resolved address (gap G101). Several times those of a host: an address of a CDN carries many honest sellers. The crawl has
 * a part of the slots, so that callers always find one.
 */
export const PROBES_IN_FLIGHT_PER_ADDRESS = 24;
export const CRAWL_SLOTS_PER_ADDRESS = { ofAllWorkers: 8, ofOneWorker: 4 } as const;
export const ADDRESS_MINUTE_IN_HOST_MINUTES = 10;
export const REDIRECTS_MAX = 2;
/** A request body of the spot-check (gap G30). */
export const REQUEST_BODY_MAX_BYTES = 16_384;
/** Our own quotes stay payable this long (gap G47). */
export const QUOTE_SECONDS = 300;

/** How often one payment brings back its answer (gap G97). */
export const REPLAYS_PER_HOUR = 10;
/** Copies of one payment in progress in a process, and payments of a network that cannot be verified (gap L91). */
export const PAYMENT_COPIES_MAX = 8;
export const FAILED_PAYMENTS_PER_HOUR = 30;
/** What our own key may spend on the gas of one payment (gap L90); the operator may change the ceilings. */
export const SENDS_PER_PAYMENT = 5;
export const GAS_LIMIT_MAX = 200_000;
export const GAS_FEE_MAX_WEI = 2_000_000_000;

/** What a wallet may sign without a price to compare with (gaps G37 and G74). */
export const SANE_PRICE_MAX: MicroUsd = microUsd(10_000_000n);
/** A seller's maxTimeoutSeconds counts at most this much (gap G44). */
export const DEADLINE_MAX_SECONDS = 86_400;
/** A `pay` is reused only with this much time left, or half of its lifetime where that is less (gap G103). */
export const REUSE_MARGIN_SECONDS = 30;

/** From this price on, other points of view must agree before a payment is approved; the operator may change it. */
export const VANTAGE_FROM: MicroUsd = microUsd(100_000n);

/** Limits on untrusted input. */
export const URL_MAX_BYTES = 2_048;
export const CHALLENGE_BODY_MAX_BYTES = 262_144;
export const CHALLENGE_HEADER_MAX_CHARS = 65_536;
export const PAYMENT_HEADER_MAX_CHARS = 16_384;
export const ANSWER_HEADER_FIELDS_MAX = 200;
export const ANSWER_INFORMATIONAL_MAX = 8;
/** Limits bytes that are neither header nor body, such as blank lines and chunk extensions. */
export const ANSWER_WIRE_BYTES_MAX = 2_097_152;
/** An unread body is drained to keep its connection, if it is this short and arrives this fast. */
export const ANSWER_DRAIN_BYTES_MAX = 65_536;
export const ANSWER_DRAIN_MS = 250;
/** A refusal that explains itself is short. */
export const REFUSAL_BODY_MAX_BYTES = 8_192;
export const JSON_MAX_DEPTH = 32;
export const ACCEPTS_MAX_ENTRIES = 64;
export const CALLER_NAME_MAX_CHARS = 64;
/** The input that a caller sends with a spot-check. */
export const CALLER_INPUT_MAX_BYTES = 4_096;
export const CALLER_INPUT_MAX_DEPTH = 8;
export const TASK_MAX_CHARS = 64;

/** Browsing the catalog (gap G90). */
export const CATALOG_SEARCH = {
  services: { min: 1, max: 100, default: 20 },
  queryMaxChars: 200,
  wordsMax: 12,
} as const;
/** The page of the catalog: services shown, and the length of a search. */
export const CATALOG_PAGE = { services: 500, searchMaxChars: 100 } as const;
/** Messages of one JSON-RPC batch, and the bytes of a request, on /mcp. */
export const MCP_BATCH_MAX = 10;
export const MCP_BODY_MAX_BYTES = 65_536;
/** A message on standard input; the MCP SDK ends the connection at 10 MiB. */
export const STDIO_LINE_MAX_BYTES = 10_000_000;

/** How paid calls are evaluated (gaps G24 and G25). */
export const STALE_AFTER_HOURS = 36;
export const FACTS_ONLY_AFTER_FAILURES = 3;
/** When our own paid calls of a service have a word to say about it, and which. */
export const SERVICE_VERDICT = { gradedMin: 3, passesFromPercent: 90, failsBelowPercent: 50 } as const;
/** Enough for n calls, the payees seen, and a few calls that failed on our side. */
export const LOOKUP_CALLS_READ = 60;
/** The history of a URL in the crawl (gap G54). */
export const CRAWL_HISTORY = 20;
/** The skips of a run: networks counted and shown, entries of the feed, and the lengths of filters. */
export const NETWORKS_COUNTED = 10_000;
export const NETWORKS_SHOWN = 50;
export const FEED_ENTRIES = 100;
export const SKIP_SEARCH_MAX_CHARS = 100;
/** The page of a host or a payee: rows that are counted, and how many of each kind are shown. */
export const PART_PAGE = {
  counted: 10_000,
  endpoints: 200,
  runs: 12,
  /** Endpoints whose earlier runs are read, and the changes shown of them. */
  followed: 20,
  changes: 50,
  shares: 50,
  services: 50,
} as const;
