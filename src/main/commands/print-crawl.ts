import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { CrawlPhase } from '../../flows/crawl/crawl-ports.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Output } from './output.ts';

export interface PrintCrawlParts extends Pick<Clock, 'stopwatch'> {
  readonly output: Output;
  readonly json: boolean;
  /** A moving bar on a terminal, a line every ten seconds elsewhere. */
  readonly terminal: { readonly columns: number; write(text: string): void } | null;
}

export interface CrawlPrinter {
  onPhase(phase: CrawlPhase): void;
  onReceipt(receipt: CrawlReceipt, host: string, ms: number): void;
  end(): void;
}

const BAR_EVERY_MS = 200;
const LINE_EVERY_MS = 10_000;

/** Progress of a crawl: done, speed, time left, verdicts so far. */
export function printCrawl({ output, json, terminal, stopwatch }: PrintCrawlParts): CrawlPrinter {
  const seen: Seen = {
    done: 0,
    total: 0,
    from: 0,
    startedAt: stopwatch(),
    verdicts: { pay: 0, skip: 0, recheck: 0 },
    slowest: { host: '', ms: 0 },
  };
  const everyMs = terminal === null || json ? LINE_EVERY_MS : BAR_EVERY_MS;
  let lastAt = stopwatch();
  const show = () => {
    const line = progressLine(seen, stopwatch());
    if (json) output.json({ event: 'progress', ...progressJson(seen, stopwatch()) });
    else if (terminal === null) output.note(line);
    else terminal.write(`\r\u001b[2K${line.slice(0, Math.max(20, terminal.columns - 1))}`);
  };
  return {
    onPhase(phase) {
      if (phase.kind === 'probing') {
        const { urls, urlsLeft } = phase;
        Object.assign(seen, {
          total: urls,
          done: urls - urlsLeft,
          from: urls - urlsLeft,
          startedAt: stopwatch(),
        });
      }
      const isOver = phase.kind === 'published' || phase.kind === 'shown' || phase.kind === 'held';
      if (terminal !== null && !json && isOver) terminal.write('\r\u001b[2K');
      if (json) output.json(phaseJson(phase));
      else output.note(phaseWords(phase));
    },
    onReceipt({ verdict }, host, ms) {
      seen.done += 1;
      seen.verdicts[verdict] += 1;
      if (ms > seen.slowest.ms) seen.slowest = { host, ms };
      if (stopwatch() - lastAt < everyMs) return;
      lastAt = stopwatch();
      show();
    },
    end() {
      if (terminal !== null && !json) terminal.write('\n');
    },
  };
}

interface Seen {
  done: number;
  total: number;
  /** Done before this process started; not part of its speed. */
  from: number;
  startedAt: number;
  verdicts: Record<CrawlReceipt['verdict'], number>;
  slowest: { host: string; ms: number };
}

const BAR_CELLS = 24;

function progressLine(seen: Seen, now: number): string {
  const { done, total, verdicts, slowest } = seen;
  const share = total === 0 ? 1 : done / total;
  const full = Math.round(share * BAR_CELLS);
  const { perSecond, secondsLeft } = paceOf(seen, now);
  const parts = [
    `[${'#'.repeat(full)}${'-'.repeat(BAR_CELLS - full)}]`,
    `${done}/${total}`,
    `${perSecond.toFixed(0)}/s`,
    secondsLeft === null ? 'ETA ?' : `ETA ${clock(secondsLeft)}`,
    `pay ${verdicts.pay} skip ${verdicts.skip} recheck ${verdicts.recheck}`,
    ...(slowest.host === '' ? [] : [`slowest ${slowest.host} ${(slowest.ms / 1_000).toFixed(1)} s`]),
  ];
  return parts.join('  ');
}

function progressJson(seen: Seen, now: number) {
  const { done, total, verdicts, slowest } = seen;
  const { perSecond, secondsLeft } = paceOf(seen, now);
  return {
    done,
    total,
    per_second: Math.round(perSecond * 10) / 10,
    eta_s: secondsLeft === null ? null : Math.round(secondsLeft),
    ...verdicts,
    slowest_host: slowest.host === '' ? null : slowest.host,
    slowest_ms: Math.round(slowest.ms),
  };
}

function paceOf({ done, total, from, startedAt }: Seen, now: number) {
  const seconds = Math.max(0.001, (now - startedAt) / 1_000);
  const perSecond = (done - from) / seconds;
  return { perSecond, secondsLeft: perSecond === 0 ? null : (total - done) / perSecond };
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  const two = (number: number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

const HELD_WORDS = {
  no_list_read: 'no list could be read',
  most_unheard: 'most endpoints could not be reached, probably because of our own connection',
} as const;

function phaseWords(phase: CrawlPhase): string {
  switch (phase.kind) {
    case 'begun':
      return `${phase.resumed ? 'resuming' : 'starting'} run ${phase.runId}`;
    case 'list_read':
      return `${phase.list}: ${phase.items ?? 'no'} endpoints; ${phase.note}`;
    case 'probing':
      return `probing ${phase.urlsLeft} of ${phase.urls} URLs on ${phase.hosts} hosts`;
    case 'held':
      return `held: ${HELD_WORDS[phase.reason]}. The published run stays; the next one may begin at ${phase.retryAt.toISOString()}`;
    case 'published':
    case 'shown': {
      const { endpointsCovered, verdicts, newThisWeek } = phase.run.summary;
      const what = phase.kind === 'published' ? 'published' : 'partial run, not published';
      return `${what}: ${endpointsCovered} endpoints, ${verdicts.pay} pay, ${verdicts.skip} skip, ${verdicts.recheck} recheck, ${newThisWeek} new`;
    }
  }
}

function phaseJson(phase: CrawlPhase): object {
  switch (phase.kind) {
    case 'begun':
      return { event: 'begun', run: phase.runId, resumed: phase.resumed };
    case 'list_read':
      return { event: 'list', list: phase.list, items: phase.items, note: phase.note };
    case 'probing':
      return { event: 'probing', urls: phase.urls, hosts: phase.hosts, left: phase.urlsLeft };
    case 'held':
      return { event: 'held', reason: phase.reason, retry_at: phase.retryAt.toISOString() };
    case 'published':
    case 'shown': {
      const { endpointsCovered, verdicts, newThisWeek } = phase.run.summary;
      return {
        event: phase.kind,
        run: phase.run.id,
        endpoints: endpointsCovered,
        new: newThisWeek,
        ...verdicts,
      };
    }
  }
}
