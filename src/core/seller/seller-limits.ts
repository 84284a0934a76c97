/** The limits of requests by owners of endpoints (gaps L110 to L113). */
export const SELLER_BODY_MAX_BYTES = 8_192;
/** Of one network prefix in a UTC hour; only requests with a valid signature count. */
export const SELLER_REQUESTS_PER_HOUR = 60;
/** How far the time of a statement may be from ours. */
export const STATEMENT_AGE_MAX_MS = 300_000;
export const PROOF_FILE_MAX_BYTES = 4_096;
/** TXT records read at a name, and characters read of each. */
export const PROOF_RECORDS_MAX = 20;
export const PROOF_RECORD_MAX_CHARS = 512;
export const PROOF_KEPT_SECONDS = 600;
export const RETESTS_PER_ORIGIN_HOUR = 20;
/** Characters of a reply. */
export const REPLY_MAX_CHARS = 500;
export const WATCH_FEED_ENTRIES = 50;
/** Watches of one origin, of one key, and in all; each ends after so many days unless it is renewed. */
export const WATCHES_PER_ORIGIN = 5;
export const WATCHES_PER_KEY = 10;
export const WATCHES_MAX = 1_000;
export const WATCH_DAYS = 90;
/** New ones of one IPv4 address or IPv6 /48 in a UTC day: alone it never has all of them, because they end as fast as it adds them. */
export const WATCHES_PER_NETWORK_DAY = Math.floor(WATCHES_MAX / WATCH_DAYS);
export const WEBHOOK_ANSWER_MAX_BYTES = 65_536;
/** What a host of webhooks gets in an hour about one watched origin, and about all of them: no owner uses up the hour of another. */
export const WEBHOOKS_PER_WATCHED_ORIGIN_HOUR = 60;
export const WEBHOOKS_PER_HOST_HOUR = 600;
