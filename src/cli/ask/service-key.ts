import type { CommandContext } from '../command-context.ts';
import type { Arguments } from '../read-arguments.ts';
import { readServer } from './ask-service.ts';

export type KeyReading =
  | { readonly kind: 'key'; readonly key: string | null }
  | { readonly kind: 'invalid'; readonly problem: string };

export const KEY_PROBLEM = 'the key (--key, ASSAY_KEY) must be 1 to 256 printable characters without spaces';

/** As a service accepts it. */
export function isServiceKey(text: string): boolean {
  return /^[\x21-\x7e]{1,256}$/.test(text);
}

/**
 * The self-test key for this service. That of the environment belongs to the service of the environment, and is not sent to
 * another one that was typed.
 */
export function readServiceKey(
  given: Arguments,
  server: string,
  { settings, notes }: Pick<CommandContext, 'settings' | 'notes'>,
): KeyReading {
  const typed = given.text('--key');
  const key = typed ?? settings.key;
  if (key === '' && typed === null) return { kind: 'key', key: null };
  if (!isServiceKey(key)) return { kind: 'invalid', problem: KEY_PROBLEM };
  const owner = readServer(settings.server);
  if (typed !== null || owner === server) return { kind: 'key', key };
  if (!given.has('--quiet'))
    notes.write(`assay: ASSAY_KEY was not sent to ${server}; it is for ${owner ?? 'ASSAY_SERVER'}\n`);
  return { kind: 'key', key: null };
}
