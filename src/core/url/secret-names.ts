/**
 * What a name says of its value. All but the first two are of credentials or of persons. But under `seed` a number is none, under
 * `coin` the address of a coin is none, and under `token` both are none; a lone `code` may also be a program or a country.
 */
export type NameKind = 'ordinary' | 'public' | SecretKind;
export type SecretKind = 'secret' | 'code' | 'seed' | 'coin' | 'token';

export function kindOfName(name: string): NameKind {
  const words = wordsOf(name);
  if (words.length === 1 && words[0] === 'code') return 'code';
  if (!areSecret(words)) return arePublic(words) ? 'public' : 'ordinary';
  return secretKindOf(words);
}

/** The same for a parameter of a link: there, a code is of OAuth. */
export function kindOfParameter(name: string): NameKind {
  const kind = kindOfName(name);
  return kind === 'code' ? 'secret' : kind;
}

function areSecret(words: readonly string[]): boolean {
  if (words.includes('code') && words.some((word) => CODE_OF_A_LOGIN.test(word))) return true;
  return words.some((word) => SECRET_WORD.test(word) || SECRET_PART.test(word));
}

const SECRET_WORD =
  /^(?:appid|cookies?|creds?|csrf|cvc|cvv|hmac|jwt|keys?|keyid|nsec|otp|pass|passcode|passwd|pin|pk|priv|psw|pw|pwd|sas|seed|sess|sid|sig|sk|ssn|ticket|totp|wif|xprv|xsrf)$/;
/** Also inside a longer word; but 'author' is not 'auth', and 'monkey' is not a key. */
const SECRET_PART =
  /auth(?!or)|authoriz|bearer|code(?<=(?:auth|pass)code)|credential|email|iban|mnemonic|passphrase|passw|phone|recoveryphrase|secret|seedphrase|seedwords|sess(?:ion|id)|signature|token|webhook|(?:access|api|app|client|license|master|private|priv|secret|sign|ssh|subscription|user)key/;
/** An OAuth code is a secret, a country code is not. */
const CODE_OF_A_LOGIN = /auth|access|activation|backup|device|invite|login|otp|recovery|reset|verif/;

/** '?token=0x…' names a coin, '?max_tokens=100' is a number, and '?seed=42' draws a picture. */
function secretKindOf(words: readonly string[]): SecretKind {
  // 'maxtokens' and 'token_id0' as words without numbers.
  const parts = words
    .flatMap((word) => word.replace(/[0-9]+/g, '').split(/(tokens?)/))
    .filter((part) => part);
  const details = parts.filter((part) => !/^(?:tokens?|seed)$/.test(part));
  if (!parts.some((part) => /^tokens?$/.test(part))) {
    return parts.includes('seed') && details.every((detail) => SEED_DETAIL.test(detail)) ? 'seed' : 'secret';
  }
  const isPlural = parts.includes('tokens');
  const counts = (detail: string) => COUNT.test(detail) || (isPlural && COUNT_OF_A_MODEL.test(detail));
  if (details.every(counts)) return 'token';
  const isOfCoin = details.every((detail) => COUNT.test(detail) || COIN_DETAIL.test(detail));
  return isOfCoin || /tokens?$/.test(parts.join(' ')) ? 'coin' : 'secret';
}

const SEED_DETAIL = /^(?:image|initial|noise|number|random|rng)$/;
const COUNT =
  /^(?:amount|budget|count|decimals|ids?|index|length|limit|max|min|num|number|size|supply|total)$/;
/** Many 'new tokens' are a count, one 'new token' may be a credential. */
const COUNT_OF_A_MODEL =
  /^(?:cached|completion|context|day|hour|in|input|minute|new|out|output|per|prompt|reasoning|sample|thinking|to|used)$/;
const COIN_DETAIL = /^(?:a|addr|address|addresses|b|contract|from|in|mints?|out|symbols?|to)$/;

/** A name, or the word before it in a path, that says: what follows is public, however random it looks. */
export function isPublicName(name: string): boolean {
  return arePublic(wordsOf(name));
}

function arePublic(words: readonly string[]): boolean {
  return words.some((word) => PUBLIC_WORD.test(word));
}

const PUBLIC_WORD =
  /^(?:accounts?|addr|address(?:es)?|asset|block(?:hash)?|ca|cid|coins?|commits?|contract(?:s|address)?|digest|etag|from|hash|ipfs|md5|mints?|nfts?|owner|payee|payer|paytos?|pools?|program|pubkey|receipts?|recipient|root|seller|sha|sha256|signer|to|tokens?|transactions?|tx|txhash|txid|txs|validator|wallets?)$/;

/** 'accessToken', 'X-Amz-Signature' and 'api_key' as words. */
function wordsOf(name: string): readonly string[] {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  // 'key2' is a key, too; 'sha256' has its number in its name.
  const both = new Set(words.flatMap((word) => [word, word.replace(/^[0-9]+|(?<![0-9])[0-9]+$/g, '')]));
  both.delete('');
  return [...both];
}
