/** What an endpoint may do to the world, besides answering. */
const ACTION =
  /^(?:delete|remove|cancel|send|transfer|withdraw|buy|purchase|order|book|pay|deploy|mint|register|subscribe|publish|upload|post|email|sms|call|create|update)(?:s|es|d|ed|r|er|ing)?$/;

const READ_MAX_CHARS = 2_000;

/**
 * True for a path or a description that says that the endpoint does something: it gets no input that we made up, because a
 * seller without a paywall might do it (gap G100). Too many words are better here than too few.
 */
export function namesAnAction(text: string): boolean {
  const words = text
    .slice(0, READ_MAX_CHARS)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => ACTION.test(word));
}
