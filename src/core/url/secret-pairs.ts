import { kindOfName, kindOfParameter, type NameKind } from './secret-names.ts';
import { likelyIfWord, shapeUnderSecretName } from './secret-values.ts';
import { type Shape, worstOf } from './shape.ts';

/** A text with names and values inside: a link, a list of parameters, headers, or an object in some notation. */
export function shapeOfPairs(text: string): Shape {
  if (!/[:=]/.test(text)) return 'plain';
  const parameters = [...text.matchAll(PARAMETER)].map(([, name = '', value = '']) =>
    shapeOfPair(kindOfParameter(name), value),
  );
  const labelled = [...text.matchAll(LABELLED)].map(
    ([, colon = '', name = '', before = '', sign = '', blank = '', after = '', value = '', next = '']) => {
      if (after === '' && NO_VALUE.test(value)) return 'plain';
      const shape = shapeOfPair(kindOfName(name), value);
      if (sign !== ':' || shape !== 'secret') return shape;
      const isQuoted = before + after !== '';
      if (!isQuoted && HEADING.test(name)) return shapeInProse(value, colon !== '');
      const isSentence = NAME_IN_SENTENCE.test(name) && blank !== '' && END_OF_WORD.test(next);
      return (isQuoted ? CLOSING.test(next) : isSentence) ? likelyIfWord(shape, value) : shape;
    },
  );
  return worstOf([...parameters, ...labelled]);
}

/** 'key=value' where a query has it; the name may have blanks and brackets. */
const PARAMETER = /(?:^|[?&;])([^?&;=#"{}]{1,64})=([^?&;#]+)/g;

/**
 * 'name: value', '"name":"value"' and 'name=value', but not 'https://…' or 'token::Token'. Of the value, the first word is enough,
 * or the one behind the scheme of a credential, and the character after it. It is not consumed: it may be a pair itself.
 */
const LABELLED =
  /(?<![\w.-])(?<=(:?))([\w.-]{1,64})(\\*["'`]?)\s{0,8}(:|=>?)(\s{0,8})(\\*["'`]?)(?!:|\/\/)(?=((?:(?:basic|bearer|digest|token)\s+)?[^\s"'`,;&{}[\]<>\\]{1,128})(.?))/gi;

/** Behind a quoted value that is one word, and behind a word that is not the first of a list. */
const CLOSING = /^["'`\\]$/;
const END_OF_WORD = /^[\s"'`\\]?$/;

function shapeOfPair(kind: NameKind, value: string): Shape {
  return kind === 'ordinary' || kind === 'public' ? 'plain' : shapeUnderSecretName(kind, value);
}

/** 'Key: concepts' in a sentence, 'email:name' in the options of a query, or the namespaces of 'did:key:…'. */
function shapeInProse(value: string, isNamespace: boolean): Shape {
  if (isNamespace) return 'plain';
  return WORD.test(value) ? 'doubtful' : 'secret';
}

const HEADING =
  /^(?:auth|credentials?|email|keys?|pass|phone|pin|seed|sessions?|signature|ticket|tokens?|webhooks?)$/i;
/** Not 'X-API-Key' or 'apiKey': headers and programs have those. */
const NAME_IN_SENTENCE = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/;
const WORD = /^[a-z]{1,12}[.!?]?$/i;
/** Also a type, a scheme without its credential, and the marks of a heading. */
const NO_VALUE =
  /^(?:asc|basic|bearer|boolean|desc|digest|false|none|null|number|string|true|undefined)?[^\p{L}\p{N}]*$/iu;
