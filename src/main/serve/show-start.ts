import { isatty } from 'node:tty';
import type { Log } from '../../adapters/system/log.ts';
import { createPaint } from '../../cli/show/paint.ts';
import { exampleService } from '../../core/catalog/example-service.ts';
import { isInternalName } from '../../core/url/host-name.ts';
import { classifyAddress } from '../../core/url/public-address.ts';
import type { PublicConfig, Runtime } from '../build/build-app.ts';
import { mayColour } from '../config/may-colour.ts';
import { readVantages } from '../vantage/service-vantages.ts';
import { startScreen } from './start-screen.ts';

/** Colours only where a person sees them. */
export function isColourful(): boolean {
  return isatty(1) && mayColour();
}

/** For the person who watches the log; programs get the settings instead. */
export async function showStart(
  config: PublicConfig,
  { store, index, policy, version, logKeeper }: Runtime,
  { address, write }: { readonly address: string; readonly write: (text: string) => void },
): Promise<void> {
  const [run, calls, head] = await Promise.all([
    store.runs.latest(),
    store.paidCalls.callsOf([...index.byId.keys()], 1),
    store.transparencyLog.current(),
  ]);
  const times = [...calls.values()].flat().map(({ calledAt }) => calledAt.getTime());
  const facts = {
    config,
    address,
    version,
    lastRun: run?.crawledAt ?? null,
    lastPaidCall: times.length === 0 ? null : new Date(Math.max(...times)),
    log: { state: logKeeper.state(), size: head?.size ?? 0 },
    vantages: config.vantages.file === null ? null : readVantages(config.vantages.file),
    example: exampleService(index.services, policy)?.endpoint.href ?? null,
  };
  write(startScreen(facts, createPaint(isColourful())));
}

/** Without CONTACT, security.txt names a page of the service itself. */
export function warnAboutContact({ baseUrl, contact }: PublicConfig, log: Pick<Log, 'warn'>): void {
  if (contact !== null || !isPublic(new URL(baseUrl).hostname)) return;
  log.warn('BASE_URL is public and CONTACT is not set: security.txt and /prober name nobody; set CONTACT');
}

function isPublic(hostname: string): boolean {
  const address = classifyAddress(hostname.replace(/^\[|\]$/g, ''));
  return address === 'public' || (address === 'unreadable' && !isInternalName(hostname));
}
