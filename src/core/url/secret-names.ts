/** A name of a parameter that says: this is a credential, or a person's. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const isCode = words.includes('code');
  if (isCode && (words.length === 1 || words.some((word) => CODE_OF_A_LOGIN.test(word)))) return true;
  return words.some((word) => SECRET_WORD.test(word) || SECRET_PART.test(word));
}

const SECRET_WORD =
  /^(?:appid|cookies?|creds?|csrf|cvc|cvv|hmac|jwt|keys?|keyid|nsec|otp|pass|passcode|passwd|pin|pk|priv|psw|pw|pwd|sas|seed|sess|sid|sig|sk|ssn|ticket|totp|wif|xprv|xsrf)$/;
/** Also inside a longer word; but 'author' is not 'auth', and 'monkey' is not a key. */
const SECRET_PART =
  /auth(?!or)|authoriz|bearer|code(?<=(?:auth|pass)code)|credential|email|iban|mnemonic|passphrase|passw|phone|recoveryphrase|secret|seedphrase|seedwords|sess(?:ion|id)|signature|token|webhook|(?:access|api|app|client|license|master|private|priv|secret|sign|ssh|subscription|user)key/;
/** An OAuth code is a secret, a country code is not. */
const CODE_OF_A_LOGIN = /auth|access|activation|backup|device|invite|login|otp|recovery|reset|verif/;

/** A name, or the word before it in a path, that says: what follows is public, however random it looks. */
export function isPublicName(name: string): boolean {
  return wordsOf(name).some((word) => PUBLIC_WORD.test(word));
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
  const both = new Set(words.flatMap((word) => [word, word.replace(/^[0-9]+|[0-9]+$/g, '')]));
  both.delete('');
  return [...both];
}
