import { URL_MAX_BYTES } from '../limits.ts';
import { termsSha256 } from '../receipt/terms-hash.ts';
import { isPathTemplate } from '../url/path-template.ts';
import { isRedacted } from '../url/redact-url.ts';
import { type CrawlFinding, crawlVerdict } from '../verdict/crawl-words.ts';
import type { Judgement } from '../verdict/judge-offers.ts';
import { judgeViews } from '../verdict/judge-views.ts';
import { hintIn, needsInput, RULES_VERSION, type Verdict } from '../verdict/verdict.ts';
import { verdictWords } from '../verdict/verdict-words.ts';
import { quotedPrice } from '../x402/terms.ts';
import type { CrawlStatement, LiveStatement, Statement } from './statement.ts';
import { approvedMembers, quotedMembers } from './write-statement.ts';

/** A member of a statement that does not follow from what was seen. Null for a value that is absent. */
export interface Disagreement {
  readonly member: string;
  readonly stated: string | null;
  readonly judged: string | null;
}

/**
 * Empty where the statement follows from what it says was seen. That a host left requests unanswered, or that a redacted URL had
 * placeholders, nobody can tell from the statement: this is not checkable.
 */
export type JudgedAgain = readonly Disagreement[] | 'not_checkable';

/** Judges what a statement says was seen by the rules of this release. Proves soundness, not that it was seen. */
export function judgeAgain(statement: Statement): JudgedAgain {
  const otherRules = differences({ rules: statement.rulesVersion }, { rules: RULES_VERSION });
  if (otherRules.length > 0) return otherRules;
  return statement.kind === 'live' ? judgeLive(statement) : judgeCrawl(statement);
}

function judgeLive(statement: LiveStatement): readonly Disagreement[] {
  const { method, listedMethod, seen, views, expected, probe, mode } = statement;
  const { approvedPayment, paymentTermsSha256 } = statement;
  const asked = { method, listedMethod, takesPath: false };
  const { verdict } = judgeViews(seen, views, asked, expected, probe.probedAt);
  const terms = verdict.verdict === 'pay' && mode === 'live' ? verdict.terms : null;
  return [
    ...differences(
      { verdict: statement.verdict, reason: statement.reason, reason_text: statement.reasonText },
      { verdict: verdict.verdict, reason: verdict.reason, reason_text: verdictWords(verdict) },
    ),
    ...differences(hintsStated(statement), hintsIn(verdict)),
    ...differences(
      approvedPayment === null
        ? {}
        : within('approved', approvedMembers(approvedPayment, paymentTermsSha256)),
      terms === null ? {} : within('approved', approvedMembers(terms, termsSha256(terms))),
    ),
  ];
}

function judgeCrawl(statement: CrawlStatement): JudgedAgain {
  const { seen, views, method, listedMethod, takesPath, expected, checkedAt } = statement;
  if (seen === null) return judgeUnseen(statement);
  const judgement = judgeViews(seen, views, { method, listedMethod, takesPath }, expected, checkedAt);
  const { verdict } = judgement;
  return [
    ...findingDifferences(statement, { kind: 'judged', verdict }),
    ...differences(hintsStated(statement), hintsIn(verdict)),
    ...quotedDifferences(statement, judgement),
  ];
}

/** Nothing was requested, so that only the URL itself tells why. */
function judgeUnseen(statement: CrawlStatement): JudgedAgain {
  const { code, url } = statement;
  if (code !== 'path_template' && code !== 'host_silent') return differences({ code }, {});
  const wrong = [
    ...findingDifferences(statement, { kind: code }),
    ...differences(hintsStated(statement), {}),
    ...quotedDifferences(statement, { offer: null }),
  ];
  if (wrong.length > 0) return wrong;
  if (code === 'host_silent') return 'not_checkable';
  if (isPathTemplate(pathOf(url))) return [];
  return isRedacted(url) || url.length >= URL_MAX_BYTES ? 'not_checkable' : differences({ code }, {});
}

function findingDifferences(stated: CrawlStatement, finding: CrawlFinding): readonly Disagreement[] {
  const { verdict, code, reason } = stated;
  return differences({ verdict, code, reason }, { ...crawlVerdict(finding) });
}

function quotedDifferences(
  { quoted }: CrawlStatement,
  { offer }: Pick<Judgement, 'offer'>,
): readonly Disagreement[] {
  const judged =
    offer === null ? null : { network: offer.network, payTo: offer.payTo, price: quotedPrice(offer) };
  return differences(
    quoted === null ? {} : within('quoted', quotedMembers(quoted)),
    judged === null ? {} : within('quoted', quotedMembers(judged)),
  );
}

/** What the request may have lacked. What exactly the listing says about it is not judged. */
function hintsIn(verdict: Verdict): Values {
  const hint = hintIn(verdict);
  return {
    needs_input: needsInput(verdict) ? 'named' : undefined,
    other_method: hint?.kind === 'wrong_method' ? hint.other : undefined,
  };
}

function hintsStated({
  needsInput: stated,
  otherMethod,
}: Statement | LiveStatement | CrawlStatement): Values {
  return { needs_input: stated === null ? undefined : 'named', other_method: otherMethod ?? undefined };
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '');
}

type Values = Readonly<Record<string, string | number | undefined>>;

function within(member: string, values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${member}.${name}`, value]));
}

function differences(stated: Values, judged: Values): readonly Disagreement[] {
  const names = [...new Set([...Object.keys(stated), ...Object.keys(judged)])];
  return names
    .filter((name) => stated[name] !== judged[name])
    .map((name) => ({ member: name, stated: shown(stated[name]), judged: shown(judged[name]) }));
}

function shown(value: string | number | undefined): string | null {
  return value === undefined ? null : String(value);
}
