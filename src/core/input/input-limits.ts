/** The author of a list chooses what we send: larger examples are not sent (gap G101). */
export const INPUT_BODY_MAX_BYTES = 1_024;
/** Bounds within one listing. */
export const INPUT_PARAMETERS_MAX = 32;
export const INPUT_VALUE_MAX_CHARS = 500;
