import { isRedacted, redactUrl } from '../../core/url/redact-url.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { PublishedRuns } from '../../ports/crawl-runs.ts';

export interface SecretPorts {
  readonly runs: Pick<PublishedRuns, 'inLatestRun'>;
}

/** Whether a receipt would show this URL redacted (gap G53). */
export async function isSecret({ href }: TargetUrl, urlKey: string, { runs }: SecretPorts): Promise<boolean> {
  if (isRedacted(redactUrl(href, 'listed'))) return true;
  if (!isRedacted(redactUrl(href, 'unlisted'))) return false;
  return (await runs.inLatestRun(urlKey)) === null;
}
