import * as z from 'zod';
import {
  type Asking,
  bodyText,
  printUnanswered,
  printUnexpected,
  readAsking,
  unanswered,
} from '../ask/asking.ts';
import { typedUrl } from '../ask/assumed-url.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitCode, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { plainText } from '../show/plain-text.ts';
import { readKeyFile, type SellerKey } from './key-file.ts';

type Members = Readonly<Record<string, string | null>>;
type Line = (answer: Readonly<Record<string, unknown>>) => readonly string[];

/** assay seller retest */
export async function sellerRetest(given: Arguments, context: CommandContext): Promise<Outcome> {
  return send({ action: 'retest', method: given.text('--method') }, given, context, (answer) => [
    `${text(answer['verdict']).toUpperCase()}  ${text(answer['reason'])}`,
    text(answer['receipt_url']),
    ...(typeof answer['skips_row'] === 'string' ? [text(answer['skips_row'])] : []),
  ]);
}

/** assay seller reply */
export async function sellerReply(given: Arguments, context: CommandContext): Promise<Outcome> {
  const note = given.text('--note');
  if (note === null) return { invalid: '--note is required' };
  return send({ action: 'reply', note }, given, context, (answer) => [`published: ${text(answer['note'])}`]);
}

/** assay seller withdraw-reply */
export async function sellerWithdrawReply(given: Arguments, context: CommandContext): Promise<Outcome> {
  return send({ action: 'withdraw_reply' }, given, context, (answer) => [
    answer['withdrawn'] === true ? 'withdrawn' : 'there was no reply',
  ]);
}

/** assay seller watch */
export async function sellerWatch(given: Arguments, context: CommandContext): Promise<Outcome> {
  const webhook = given.text('--webhook');
  if (webhook === null) return { invalid: '--webhook is required' };
  return send({ action: 'watch', method: given.text('--method'), webhook }, given, context, (answer) => [
    `watched until ${text(answer['until'])}`,
    `signing key  ${text(answer['signing_key'])}`,
    `feed         ${text(answer['feed'])}`,
  ]);
}

/** assay seller unwatch */
export async function sellerUnwatch(given: Arguments, context: CommandContext): Promise<Outcome> {
  return send({ action: 'unwatch' }, given, context, (answer) => [
    `ended: ${typeof answer['ended'] === 'number' ? answer['ended'] : 0}`,
  ]);
}

/** Signs a statement about the URL and sends it. */
async function send(
  members: Members,
  given: Arguments,
  context: CommandContext,
  lines: Line,
): Promise<Outcome> {
  const reading = readAsking(given, context);
  if (reading.kind === 'invalid') return { invalid: reading.problem };
  const file = given.text('--key');
  if (file === null) return { invalid: '--key is required: the file that assay seller key creates' };
  const key = readKeyFile(file);
  if (key === null) return { invalid: `${plainText(file)} is not an Ed25519 key that can be read` };
  const { asking } = reading;
  const url = typedUrl(given.words[0] ?? '', context);
  const asked = await asking.service.ask('/v1/sellers', {}, {}, signedBody(members, url, key, context));
  if (asked.kind !== 'answered' || asked.status !== 200) {
    const code = printUnanswered(unanswered(asked, asking.service), { asking, hint: [] }, context);
    return asked.kind === 'answered' && REFUSED.has(asked.status) ? EXIT.usage : code;
  }
  return print(asked, asking, context, lines);
}

/** Not proven, or an old statement: waiting would not change that. */
const REFUSED: ReadonlySet<number> = new Set([403, 409]);

function signedBody(members: Members, url: string, key: SellerKey, { now }: CommandContext) {
  const { action, ...more } = members;
  const own = Object.entries(more).filter(([, value]) => value !== null);
  const statement = { action, url, at: now().toISOString(), ...Object.fromEntries(own) };
  return JSON.stringify(key.sign(JSON.stringify(statement)));
}

function print(
  asked: { readonly text: string; readonly json: unknown },
  asking: Asking,
  context: CommandContext,
  lines: Line,
): ExitCode {
  const { data } = z.record(z.string(), z.unknown()).safeParse(asked.json);
  if (data === undefined) return printUnexpected(asking, context);
  const { out } = context;
  if (asking.json) out.write(bodyText(asked.text, out.isTerminal));
  else out.write(`${lines(data).join('\n')}\n`);
  return exitOf(data['verdict']);
}

function exitOf(verdict: unknown): ExitCode {
  if (verdict === 'skip') return EXIT.skip;
  return verdict === 'recheck' ? EXIT.recheck : EXIT.done;
}

function text(value: unknown): string {
  return typeof value === 'string' ? plainText(value) : '';
}
