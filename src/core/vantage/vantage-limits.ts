/** The note of a request: a URL, input and a name, with the escapes of JSON. */
export const REQUEST_MAX_BYTES = 65_536;
/** As much as a caller may send. */
export const REQUEST_BODY_MAX_CHARS = 4_096;
/** A common 402 takes one or two thousand. */
export const OBSERVATION_MAX_CHARS = 65_536;
/** The note of an observation, in UTF-8, with its signature. */
export const ANSWER_MAX_BYTES = 131_072;
/** How far the clocks of two operators may be apart. */
export const CLOCK_SLACK_MS = 30_000;
/** More points of view than a check should wait for; each adds what it saw to the statement. */
export const VANTAGES_MAX = 4;
