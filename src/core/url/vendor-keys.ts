/** Whether a value is, begins with or contains a key in the format of a known vendor. */
export function hasVendorKey(value: string): boolean {
  return KEYS_ANYWHERE.some((key) => key.test(value)) || KEYS_AT_START.some((key) => key.test(value));
}

/**
 * Prefixes of no ordinary word: they also count after any character but a letter or digit. What a pattern reads before its last
 * required character is bounded, so that it stays linear; longer keys are found by their mixture of characters.
 */
const KEYS_ANYWHERE: readonly RegExp[] = [
  /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{5,200}\.[A-Za-z0-9_-]+\./, // JSON web token
  /(?<![A-Za-z0-9])(?:[spr]k_(?:live|test|prod)|whsec|rzp_(?:live|test)|lin_(?:api|oauth)|figd|glsa|shp[a-z]{2}|sntry[su]|dckr_pat|do[opr]_v1|gh[opsur]|github_pat)_[A-Za-z0-9]{8,}/,
  /(?<![A-Za-z0-9])(?:xox[abeprs]|glpat|nvapi|sq0[a-z]{3})[_-][A-Za-z0-9_-]{8,}/,
  // Words with hyphens have no digits.
  /(?<![A-Za-z0-9])sk-(?:proj|ant|svcacct|admin|or)-(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{8,}/,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{12,}/,
  /(?<![A-Za-z0-9])(?:ya29\.|hvs\.|ATATT3|AIza)[A-Za-z0-9_-]{20,}/,
  /(?<![A-Za-z0-9])(?:AC|SK|dapi)[0-9a-f]{32}(?![A-Za-z0-9])/,
  /(?<![A-Za-z0-9])(?:bot)?[0-9]{6,12}:[A-Za-z0-9_-]{30,}/, // chat bots
  /(?<![A-Za-z0-9])[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/,
  /(?<![A-Za-z0-9])bearer\s+(?=[A-Za-z._~+/-]{0,64}[0-9])[A-Za-z0-9._~+/-]{12,}/i,
  /(?<![A-Za-z0-9])[a-z][a-z0-9]{1,11}:\/\/[^/@\s"]*@/i, // a link with a user name
  /(?<![A-Za-z0-9])(?:[xyzt]prv|AGE-SECRET-KEY-1|nsec1)[A-Za-z0-9]{20,}/,
  /(?<![A-Za-z0-9])[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])/, // private key of a wallet, in its import format
  /(?<![A-Za-z0-9])[1-9A-HJ-NP-Za-km-z]{86,88}(?![A-Za-z0-9])/, // Solana key pair
  /-----BEGIN/,
];

/** Prefixes of ordinary words, too, and shorter keys. None of only letters, digits and `._~-` has less than ten characters. */
const KEYS_AT_START: readonly RegExp[] = [
  /^(?:sk|pk|rk|sess|whsec|rzp|gsk|hf|npm|r8|ntn|lin_api|lin_oauth|figd|glsa|shp[a-z]{2}|sntry[su]|dckr_pat|do[opr]_v1|pat|key|secret|fal|phc|sbp|tskey)_[A-Za-z0-9_]{8,}/,
  // Model vendors and their like. Words with hyphens have no digits.
  /^(?:sk|pk|pplx|tvly|xai|nvapi|key|pypi|glpat|PMAK|NRAK|sq0[a-z]{3}|tskey|csk|fc)-(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{12,}/,
  /^(?:ya29\.|AIza|hvs\.|SG\.|ATATT3|EAA[A-Z]|1\/\/0)[A-Za-z0-9._-]{6,}/,
  /^(?:gh[opsur]|github_pat|xox[abeprs]|xapp)[_-][A-Za-z0-9_-]{8,}/,
  /^eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+\./,
  /^(?:bearer|basic)\s/i,
  /^[a-z]{2,10}:\/\/[^/@\s]*@/i,
];
