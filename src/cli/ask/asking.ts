import * as z from 'zod';
import { formatUsd, type MicroUsd, microUsd } from '../../core/money/micro-usd.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { createPaint } from '../show/paint.ts';
import { cutEnd, plainText } from '../show/plain-text.ts';
import type { View } from '../show/terminal-card.ts';
import { type Asked, readServer, type Service, serviceAt, serviceHere } from './ask-service.ts';
import { readServiceKey } from './service-key.ts';

/** The options that all commands with a service share. */
export interface Asking {
  readonly service: Service;
  readonly json: boolean;
  readonly timeoutSeconds: number;
  readonly view: () => View;
}

export type AskingReading =
  | { readonly kind: 'asking'; readonly asking: Asking }
  | { readonly kind: 'invalid'; readonly problem: string };

const TIMEOUT_SECONDS = 20;
const TIMEOUT_SECONDS_MAX = 300;

export interface AskingParts {
  /** The command takes a self-test key. */
  readonly keyed?: true;
}

export function readAsking(
  given: Arguments,
  context: CommandContext,
  { keyed }: AskingParts = {},
): AskingReading {
  const server = readServer(given.text('--server') ?? context.settings.server);
  if (server === null) {
    const problem =
      'the service (--server, ASSAY_SERVER) must be an address such as https://assay.example.com';
    return { kind: 'invalid', problem };
  }
  const timeout = given.text('--timeout') ?? String(TIMEOUT_SECONDS);
  const seconds = /^[0-9]{1,3}(?:\.[0-9]{1,3})?$/.test(timeout) ? Number(timeout) : 0;
  if (seconds <= 0 || seconds > TIMEOUT_SECONDS_MAX) {
    return {
      kind: 'invalid',
      problem: `--timeout must be a number of seconds above 0, up to ${TIMEOUT_SECONDS_MAX}`,
    };
  }
  if (given.has('--local') && [...SERVICE_OPTIONS].some((option) => given.has(option))) {
    const problem = '--local uses no service, so it cannot be combined with --server, --timeout or --key';
    return { kind: 'invalid', problem };
  }
  const reading = keyed ? readServiceKey(given, server, context) : NO_KEY;
  if (reading.kind === 'invalid') return reading;
  return {
    kind: 'asking',
    asking: {
      service: given.has('--local') ? serviceHere(context) : serviceAt(server, seconds, context, reading.key),
      json: given.has('--json'),
      timeoutSeconds: seconds,
      view: () => viewOf(given, context),
    },
  };
}

const SERVICE_OPTIONS = ['--server', '--timeout', '--key'];

const NO_KEY = { kind: 'key', key: null } as const;

/** In a pipe no line is cut: a program reads it, and would lose a field. */
export function viewOf(given: Arguments, { out, settings, now }: CommandContext): View {
  const isColoured = settings.colour === 'always' || (settings.colour === 'auto' && out.isTerminal);
  return {
    paint: createPaint(isColoured && !given.has('--no-color')),
    columns: out.isTerminal ? out.columns : Number.POSITIVE_INFINITY,
    now: now(),
  };
}

/** A bar is for people who look at a terminal. */
export function isWatched(given: Arguments, { notes, settings }: CommandContext): boolean {
  return notes.isTerminal && settings.progress && !given.has('--no-color') && !given.has('--quiet');
}

/** Why there is no result. */
export type Unanswered =
  | { readonly kind: 'payment'; readonly price: MicroUsd | null; readonly body: string }
  | {
      readonly kind: 'refused';
      readonly exit: ExitCode;
      readonly line: string;
      /** No connection to the service, or no answer from it. */
      readonly isAway?: true;
      /** The body, if there is one. */
      readonly body: string | null;
    }
  | { readonly kind: 'stopped' };

const EXIT_OF: ReadonlyMap<number, ExitCode> = new Map([
  ...[400, 413, 414, 415, 431].map((status): [number, ExitCode] => [status, EXIT.usage]),
  // Withdrawn, or in an archive: the service works, and nothing may be paid by it.
  [410, EXIT.recheck],
]);
const LINE_CELLS_MAX = 300;

/** Describes every answer but a 200 in one line. */
export function unanswered(asked: Asked, { server }: Service): Unanswered {
  if (asked.kind === 'stopped') return asked;
  if (asked.kind === 'unreachable') {
    return {
      kind: 'refused',
      exit: EXIT.unreachable,
      line: `the service at ${server} ${asked.why}`,
      isAway: true,
      body: null,
    };
  }
  const { status, json, text, retryAfterSeconds } = asked;
  if (status === 402) return { kind: 'payment', price: priceIn(json), body: text };
  const { data } = z.object({ detail: z.string() }).safeParse(json);
  const said = data === undefined ? '' : `: ${cutEnd(plainText(data.detail), LINE_CELLS_MAX)}`;
  const later = retryAfterSeconds === null ? '' : ` Try again in ${retryAfterSeconds} s.`;
  const exit = EXIT_OF.get(status) ?? EXIT.unreachable;
  return { kind: 'refused', exit, line: `the service answered ${status}${said}${later}`, body: text };
}

const requirement = z.object({
  accepts: z.array(z.object({ amount: z.string().regex(/^[0-9]{1,20}$/) })).min(1),
});

function priceIn(json: unknown): MicroUsd | null {
  const amount = requirement.safeParse(json).data?.accepts[0]?.amount;
  return amount === undefined ? null : microUsd(BigInt(amount));
}

interface PrintParts {
  readonly asking: Asking;
  /** What to do when payment is required. */
  readonly hint: readonly string[];
  /** What to do without a service. */
  readonly away?: readonly string[];
}

const ANOTHER_SERVICE = 'name another service with --server or ASSAY_SERVER, or start one with assay serve';

/** Prints why there is no result. Returns the exit code. */
export function printUnanswered(
  reason: Unanswered,
  { asking, hint, away = [] }: PrintParts,
  { out, notes }: CommandContext,
): ExitCode {
  if (reason.kind === 'stopped') return EXIT.stopped;
  if (asking.json && reason.body !== null) out.write(bodyText(reason.body, out.isTerminal));
  if (reason.kind === 'refused') {
    notes.write(`assay: ${reason.line}\n`);
    if (reason.isAway === true) for (const line of [ANOTHER_SERVICE, ...away]) notes.write(`  ${line}\n`);
    return reason.exit;
  }
  notes.write(`assay: payment required${priceText(reason.price)}; today's free quota is used up\n`);
  for (const line of hint) notes.write(`  ${line}\n`);
  return EXIT.payment;
}

/** For an answer whose form is unknown. */
export function printUnexpected({ service: { server } }: Asking, { notes }: CommandContext): ExitCode {
  notes.write(`assay: the service at ${server} sent an unexpected answer; --json shows it\n`);
  return EXIT.unreachable;
}

export function priceText(price: MicroUsd | null): string {
  return price === null ? '' : `: $${formatUsd(price)}`;
}

// Tab and newline belong to a text. JSON is not changed by the rest: it has those below U+0020 as escapes only.
const STEERING = /[^\P{Cc}\t\n]|[\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu;

/** The body unchanged; on a terminal, with control and format characters as JSON escapes. */
export function bodyText(body: string, isTerminal: boolean): string {
  const ended = body.endsWith('\n') ? body : `${body}\n`;
  if (!isTerminal) return ended;
  return ended
    .replace(/\r/g, '')
    .replace(STEERING, (letter) =>
      Array.from({ length: letter.length }, (_, at) => escapeOf(letter.charCodeAt(at))).join(''),
    );
}

function escapeOf(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
