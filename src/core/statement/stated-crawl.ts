import { isDiagnostic } from '../diagnose/diagnostic.ts';
import type { CrawlReceipt } from '../receipt/crawl-receipt.ts';
import type { CrawlStatement } from './statement.ts';
import { writeCrawl } from './write-statement.ts';

/** The statement of a crawl receipt, without what is not public; null for one of an older release. */
export function statementOfCrawl(receipt: CrawlReceipt): string | null {
  const { basis, payTo, network, quotedPrice } = receipt;
  if (basis === undefined) return null;
  return writeCrawl({
    id: receipt.id,
    url: receipt.url,
    method: receipt.method,
    checkedAt: receipt.checkedAt,
    verdict: receipt.verdict,
    code: receipt.code,
    reason: receipt.reason,
    sourceList: receipt.sourceList,
    listedIn: receipt.listedIn,
    run: basis.run,
    salt: basis.salt,
    rulesVersion: basis.rulesVersion,
    listedMethod: basis.listedMethod,
    takesPath: basis.takesPath,
    seen: basis.seen,
    views: basis.views,
    expected: {
      price: receipt.claimedPrice,
      payTo: receipt.listedPayTo,
      network: receipt.listedNetwork,
      source: 'listing',
    },
    quoted: payTo === null ? null : { network, payTo, price: quotedPrice },
    needsInput: receipt.needsInput ?? null,
    otherMethod: receipt.otherMethod ?? null,
    diagnostics: receipt.diagnostics ?? [],
  });
}

/** Null when another release wrote a diagnostic that this one does not know. */
export function statedCrawl(statement: CrawlStatement): CrawlReceipt | null {
  const { diagnostics, expected, quoted, seen, needsInput, otherMethod } = statement;
  if (!diagnostics.every(isDiagnostic)) return null;
  const { run, salt, rulesVersion, listedMethod, takesPath, views } = statement;
  const answer = seen?.kind === 'answered' ? seen : null;
  return {
    id: statement.id,
    url: statement.url,
    method: statement.method,
    checkedAt: statement.checkedAt,
    verdict: statement.verdict,
    code: statement.code,
    reason: statement.reason,
    sourceList: statement.sourceList,
    listedIn: statement.listedIn,
    claimedPrice: expected.price,
    listedPayTo: expected.payTo,
    listedNetwork: expected.network,
    quotedPrice: quoted?.price ?? null,
    payTo: quoted?.payTo ?? null,
    network: quoted?.network ?? null,
    httpStatus: answer?.status ?? null,
    ...(diagnostics.length === 0 ? {} : { diagnostics }),
    ...(answer?.input == null ? {} : { input: answer.input }),
    ...(needsInput === null ? {} : { needsInput }),
    ...(otherMethod === null ? {} : { otherMethod }),
    basis: { run, salt, rulesVersion, listedMethod, takesPath, seen, views },
  };
}
