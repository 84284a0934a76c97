/** Whoever writes a list chooses what we send: larger examples are not sent (gap G101). */
export const INPUT_BODY_MAX_BYTES = 1_024;
/** What a caller may send as its own input. */
export const CALLER_INPUT_MAX_BYTES = 4_096;
export const CALLER_INPUT_MAX_DEPTH = 8;
/** Bounds within one listing. */
export const INPUT_PARAMETERS_MAX = 32;
export const INPUT_VALUE_MAX_CHARS = 500;
