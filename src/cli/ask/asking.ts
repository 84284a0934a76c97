import { z } from 'zod';
import { formatUsd, type MicroUsd, microUsd } from '../../core/money/micro-usd.ts';
import type { Surroundings } from '../command-context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { createPaint } from '../show/paint.ts';
import { cutEnd, plainText } from '../show/plain-text.ts';
import type { View } from '../show/terminal-card.ts';
import { type Asked, readServer, type Service, serviceAt } from './ask-service.ts';

/** What all commands that ask a service have in common. */
export interface Asking {
  readonly service: Service;
  readonly json: boolean;
  readonly view: () => View;
}

export type AskingReading =
  | { readonly kind: 'asking'; readonly asking: Asking }
  | { readonly kind: 'wrong'; readonly line: string };

const TIMEOUT_SECONDS = 20;
const TIMEOUT_SECONDS_MAX = 300;

export function readAsking(given: Arguments, around: Surroundings): AskingReading {
  const server = readServer(given.text('--server') ?? around.settings.server);
  if (server === null) {
    const line = 'the service (--server, ASSAY_SERVER) must be an address such as https://assay.example.com';
    return { kind: 'wrong', line };
  }
  const timeout = given.text('--timeout') ?? String(TIMEOUT_SECONDS);
  const seconds = /^[0-9]{1,3}(?:\.[0-9]{1,3})?$/.test(timeout) ? Number(timeout) : 0;
  if (seconds <= 0 || seconds > TIMEOUT_SECONDS_MAX) {
    return { kind: 'wrong', line: `--timeout must be a number of seconds up to ${TIMEOUT_SECONDS_MAX}` };
  }
  return {
    kind: 'asking',
    asking: {
      service: serviceAt(server, seconds, around),
      json: given.has('--json'),
      view: () => viewOf(given, around),
    },
  };
}

/** Colours only where somebody sees them and nobody has asked for none. */
function viewOf(given: Arguments, { out, settings, now }: Surroundings): View {
  const colour = out.isTerminal && settings.colour && !given.has('--no-color');
  return { paint: createPaint(colour), columns: out.columns, now: now() };
}

/** A whole number option within its bounds; null is wrong. */
export function readCount(text: string | null, max: number, fallback: number): number | null {
  if (text === null) return fallback;
  const count = /^[1-9][0-9]{0,6}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= max ? count : null;
}

/** Why there is no result. */
export type Unanswered =
  | { readonly kind: 'payment'; readonly price: MicroUsd | null; readonly body: string }
  | {
      readonly kind: 'refused';
      readonly exit: ExitCode;
      readonly line: string;
      /** What the service wrote, when it wrote anything. */
      readonly body: string | null;
    }
  | { readonly kind: 'stopped' };

const WRONG_REQUEST: ReadonlySet<number> = new Set([400, 413, 414, 415, 431]);
const LINE_CELLS_MAX = 300;

/** Everything but a 200, in a line for a person. */
export function unanswered(asked: Asked, { server }: Service): Unanswered {
  if (asked.kind === 'stopped') return asked;
  if (asked.kind === 'unreachable') {
    return {
      kind: 'refused',
      exit: EXIT.unreachable,
      line: `the service at ${server} ${asked.why}`,
      body: null,
    };
  }
  const { status, json, text, retryAfterSeconds } = asked;
  if (status === 402) return { kind: 'payment', price: priceIn(json), body: text };
  const { data } = z.object({ detail: z.string() }).safeParse(json);
  const said = data === undefined ? '' : `: ${cutEnd(plainText(data.detail), LINE_CELLS_MAX)}`;
  const later = retryAfterSeconds === null ? '' : ` Try again in ${retryAfterSeconds} s.`;
  const exit = WRONG_REQUEST.has(status) ? EXIT.usage : EXIT.unreachable;
  return { kind: 'refused', exit, line: `the service answered ${status}${said}${later}`, body: text };
}

const requirement = z.object({
  accepts: z.array(z.object({ amount: z.string().regex(/^[0-9]{1,20}$/) })).min(1),
});

function priceIn(json: unknown): MicroUsd | null {
  const amount = requirement.safeParse(json).data?.accepts[0]?.amount;
  return amount === undefined ? null : microUsd(BigInt(amount));
}

/** Says why there is no result, and answers the exit code of it. */
export function tellUnanswered(
  reason: Unanswered,
  { asking, hint }: { readonly asking: Asking; readonly hint: readonly string[] },
  { out, notes }: Surroundings,
): ExitCode {
  if (reason.kind === 'stopped') return EXIT.stopped;
  if (asking.json && reason.body !== null) out.write(bodyText(reason.body, out.isTerminal));
  if (reason.kind === 'refused') {
    notes.write(`assay: ${reason.line}\n`);
    return reason.exit;
  }
  notes.write(`assay: payment required${priceText(reason.price)}; nothing is free any more today\n`);
  for (const line of hint) notes.write(`  ${line}\n`);
  return EXIT.payment;
}

/** Not what this program knows how to show. */
export function tellOdd({ service: { server } }: Asking, { notes }: Surroundings): ExitCode {
  notes.write(`assay: the service at ${server} answered in an unknown form; --json shows it\n`);
  return EXIT.unreachable;
}

export function priceText(price: MicroUsd | null): string {
  return price === null ? '' : `: $${formatUsd(price)}`;
}

// Bytes that a terminal takes for commands can stand in JSON as they are, unless they are below the blank.
const STEERING = /[\u007f-\u009f\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu;

/** A body unchanged; on a terminal the same JSON, with what would steer it written as escapes. */
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

/** The same as one line among others. */
export function bodyLine(body: string, isTerminal: boolean): string {
  const text = body.trim();
  return bodyText(/[\r\n]/.test(text) ? JSON.stringify(JSON.parse(text)) : text, isTerminal);
}
