import { askVantage, type VantageOutcome } from '../../adapters/vantage/ask-vantage.ts';
import { signRequest } from '../../core/vantage/messages.ts';
import type { ListedVantage } from '../../core/vantage/vantage-files.ts';
import type { VerifyConfig } from '../config/verify-config.ts';
import { readVantages, vantageClient } from '../vantage/service-vantages.ts';
import { type Check, type DoctorParts, knownSecret } from './doctor-parts.ts';
import { failure, off, ok, type Verdict, warning } from './finding.ts';

/** Every vantage that VANTAGES names. */
export function vantageChecks({ vantages: { file } }: Pick<VerifyConfig, 'vantages'>): readonly Check[] {
  const one = (look: Check['look']): readonly Check[] => [{ name: 'vantages', look }];
  if (file === null) return one(async () => off('no other point of view is asked: set VANTAGES'));
  try {
    return readVantages(file).vantages.map((vantage) => ({
      name: `vantage ${vantage.name}`,
      look: (parts) => lookAtVantage(vantage, parts),
    }));
  } catch (fault) {
    const says = fault instanceof Error ? fault.message : 'VANTAGES cannot be read';
    return one(async () => failure(says, 'correct the file of VANTAGES'));
  }
}

/** A vantage refuses to send anything there, and signs that. */
const NOWHERE = 'http://127.0.0.1/';
const NONCE_BYTES = 16;
const ASK_MS = 4_000;

/** One signed request for which nobody is contacted: it shows address, keys, name and clock. */
async function lookAtVantage(vantage: ListedVantage, { config, now }: DoctorParts): Promise<Verdict> {
  const secret = knownSecret(config);
  if (secret === null) return warning('not known: there is no secret yet', 'see secret');
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(NONCE_BYTES))).toString('base64url');
  const sent = signRequest(
    { at: now(), body: null, method: 'GET', nonce, to: vantage.key.name, url: NOWHERE },
    vantageClient(config, secret),
  );
  if (sent === null)
    return failure('its name cannot be written in a request', 'correct the file of VANTAGES');
  const { outcome } = await askVantage(vantage, sent, { now, signal: AbortSignal.timeout(ASK_MS) });
  return outcome === 'ok'
    ? ok('answers under its key and knows ours')
    : failure(...(FAULTS[outcome] ?? OTHER));
}

const OTHER = ['does not answer as a vantage', 'ask its operator'] as const;

const FAULTS: Partial<Record<VantageOutcome, readonly [says: string, fix: string]>> = {
  limited: ['has too many requests of ours', 'run it again in a minute'],
  refused: [
    'refuses our requests: it does not know our key, has another name, or the clocks differ',
    'send its operator the line of assay vantage-key, and compare the clocks',
  ],
  forged: ['answers under another key', 'ask its operator for its key before anything else'],
  stale: ['signs a time that is too far from ours', 'set the clocks'],
  unreachable: ['cannot be reached', 'correct its address, or ask its operator'],
  late: ['has not answered in time', 'ask its operator'],
};
