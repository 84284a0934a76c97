import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ProberParts } from '../../src/adapters/probe/create-prober.ts';
import { judge } from '../../src/core/verdict/judge.ts';
import { observe } from '../../src/core/verdict/observation.ts';
import { target } from '../../tools/samples/listed.ts';
import { type Certificate, certificate, httpAnswer, startSeller } from '../support/probing/fake-seller.ts';
import { probingHarness } from '../support/probing/probing.ts';
import {
  answerOf,
  type ChallengeCase,
  challengeCorpus,
  decided,
  expectedOf,
  expectVerdict,
} from './challenge-corpus.ts';

/** The same corpus through the real prober and a seller on loopback, broken transports included. */
const TIMEOUT_MS = 600;
/** For sellers that answer: a busy machine may be slow. */
const PATIENT_MS = 30_000;
const DRIP_MS = 20;

type Behaviour = (socket: Socket, entry: ChallengeCase) => void;

/** Repeats until the other side has had enough. */
function every(ms: number, socket: Socket, act: () => void): void {
  const timer = setInterval(act, ms);
  socket.on('close', () => clearInterval(timer));
}

const BEHAVIOURS: Record<string, Behaviour> = {
  hang_before_headers: () => undefined,
  close_before_headers: (socket) => socket.end(),
  raw: (socket, { behavior }) => socket.end(Buffer.from(behavior?.data ?? '', 'utf8')),
  informational_flood: (socket) =>
    every(DRIP_MS, socket, () => socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n')),
  drip_body: (socket, entry) => {
    const { headers } = answerOf(entry);
    socket.write(httpAnswer(entry.status, [...headers, ['Content-Length', '100000']]));
    every(DRIP_MS, socket, () => socket.write(' '));
  },
  encodings: (socket, { behavior, status }) => {
    const body = Array.from({ length: 6 }).reduce<Buffer>((inner) => gzipSync(inner), Buffer.from('{}'));
    const head = httpAnswer(status, [
      ['Content-Encoding', behavior?.value ?? ''],
      ['Content-Length', String(body.length)],
    ]);
    socket.end(Buffer.concat([head, body]));
  },
  big_body: (socket, { status }) => {
    socket.write(httpAnswer(status, [['Content-Length', '104857600']]));
    const more = () => socket.writable && socket.write(Buffer.alloc(65_536, 0x20)) && setImmediate(more);
    socket.on('drain', more);
    more();
  },
  cut_short: (socket, entry) => {
    const { headers, body } = answerOf(entry);
    socket.end(httpAnswer(entry.status, headers, body));
  },
};

const CERTIFICATES: Record<string, Certificate> = {
  tls_self_signed: 'self-signed',
  tls_wrong_host: 'other-host',
  tls_expired: 'expired',
};

const never: ProberParts['resolve'] = () => new Promise(() => undefined);

async function probed(entry: ChallengeCase) {
  const kind = entry.behavior?.kind ?? (entry.behavior?.raw === undefined ? undefined : 'cut_short');
  const cert = kind === undefined ? undefined : CERTIFICATES[kind];
  const behave = kind === undefined ? undefined : BEHAVIOURS[kind];
  const seller = await startSeller((socket) => {
    const { headers, body } = answerOf(entry);
    if (behave === undefined) socket.end(httpAnswer(entry.status, headers, entry.status === 204 ? '' : body));
    else behave(socket, entry);
  }, cert);
  const { prober } = probingHarness(seller.port, {
    timeoutMs: decided(entry) === 'timeout' ? TIMEOUT_MS : PATIENT_MS,
    authorities: [certificate('ca')],
    ...(kind === 'dns_timeout' ? { resolve: never } : {}),
  });
  const url = `${cert === undefined ? 'http' : 'https'}://seller.example.net/premium-data`;
  const outcome = await prober.probe({ target: target(url), method: entry.method });
  await seller.close();
  return { outcome, requests: seller.requests };
}

describe('challenge corpus through the real prober', () => {
  it.concurrent.each(challengeCorpus().map((entry) => [entry.id, entry.why, entry] as const))(
    '%s: %s',
    async (_id, _why, entry) => {
      const { outcome, requests } = await probed(entry);
      expectVerdict(entry, judge(observe(outcome), expectedOf(entry), new Date()).verdict);
      expect(requests.length).toBeLessThanOrEqual(1);
      expect(requests.join('')).not.toMatch(/payment|cookie|authorization|forwarded/i);
    },
  );
});
