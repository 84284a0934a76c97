import { redactUrl } from '../../core/url/redact-url.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import { plainText } from './plain-text.ts';

/** Without passwords and likely keys: terminals are shared and logged. */
export function shownUrl(url: string): string {
  const reading = parseTargetUrl(url);
  return reading.kind === 'target' ? plainText(redactUrl(reading.target.href, 'unlisted')) : '(not a URL)';
}
