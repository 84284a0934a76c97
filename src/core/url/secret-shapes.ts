/** A key that names a credential: 'api_key', 'accessToken', 'X-Amz-Signature', 'oauth_code'. */
export function isSecretKey(key: string): boolean {
  const words = decoded(key)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  const isCode = words.includes('code');
  if (isCode && (words.length === 1 || words.some((word) => CODE_OF_A_LOGIN.test(word)))) return true;
  return words.some((word) => SECRET_WORD.test(word) || SECRET_PART.test(word));
}

const SECRET_WORD = /^(?:hmac|jwt|keys?|keyid|otp|pass|passcode|pin|pwd|sas|sess|sid|sig)$/;
/** Also inside a longer word; but 'author' is not 'auth', and 'monkey' is not a key. */
const SECRET_PART =
  /auth(?!or)|authoriz|bearer|code(?<=(?:auth|pass)code)|credential|passphrase|passw|secret|sess(?:ion|id)|signature|token|(?:access|api|app|client|license|master|private|secret|sign|ssh|subscription|user)key/;
/** An OAuth code is a secret, a country code is not. */
const CODE_OF_A_LOGIN = /auth|access|activation|device|invite|login|reset|verif/;

/** A value that has the shape of a credential, or that is a link with one inside. */
export function looksSecret(text: string): boolean {
  const value = decoded(text).trim();
  if (SECRET_SHAPES.some((shape) => shape.test(value))) return true;
  if (!value.includes('=')) return false;
  return [...value.matchAll(INNER_PARAMETER)].some(([, key = '']) => isSecretKey(key));
}

const INNER_PARAMETER = /(?:^|[?&;])([^?&;=#]{1,64})=[^?&;#]/g;

/** None that consists of letters, digits and `._~-` is shorter than ten: redactUrl skips paths of shorter words. */
const SECRET_SHAPES: readonly RegExp[] = [
  /^eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+\./, // JSON web token
  /^(?:sk|pk|rk)_[A-Za-z0-9_]{8,}/, // payment vendors
  /^(?:sk|pk)-(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{12,}/, // model vendors; words with hyphens have no digits
  /^(?:AKIA|ASIA)[A-Z0-9]{12,}/, // cloud access key
  /^(?:ya29\.|AIza)[A-Za-z0-9_-]{6,}/,
  /^(?:gh[opsur]|glpat|github_pat|xox[abeprs])[_-][A-Za-z0-9_-]{8,}/,
  /^bearer\s/i,
  /^[a-z]{2,10}:\/\/[^/@\s]*@/i, // a link with a user name
  /^[0-9a-f]{32,}$/i, // bare hexadecimal, as in many API keys; addresses and hashes begin with 0x
];

/** Decodes as far as possible: a broken escape must not hide what precedes it. */
function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
}
