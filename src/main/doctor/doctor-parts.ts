import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Connected, type Store, storeOn } from '../../adapters/store/store.ts';
import { type SecretConfig, secretOf } from '../build/keep-secret.ts';
import type { VerifyConfig } from '../config/verify-config.ts';
import type { Verdict } from './finding.ts';

/** What checks look at, and how they reach it. */
export interface DoctorParts {
  readonly config: VerifyConfig;
  /** The version of this program. */
  readonly version: string;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** Null when there is none yet. Opened once, and never migrated. */
  readonly store: () => Promise<OpenedStore | null>;
  /** Additional certificate authorities, in PEM. */
  readonly authorities?: string;
}

export interface OpenedStore {
  readonly store: Store;
  readonly connected: Connected;
}

export interface Check {
  readonly name: string;
  readonly look: (parts: DoctorParts) => Promise<Verdict>;
}

export interface StoreHandle {
  readonly open: DoctorParts['store'];
  close(): Promise<void>;
}

/** Opens the store of the settings on first use. Does not create one, and does not migrate it. */
export function storeHandle(config: StoreSettings): StoreHandle {
  const state: { opening: Promise<OpenedStore | null> | null } = { opening: null };
  return {
    open() {
      state.opening ??= connect(config).then((connected) =>
        connected === null ? null : { connected, store: storeOn(connected) },
      );
      return state.opening;
    },
    async close() {
      const opened = await state.opening?.catch(() => null);
      await opened?.connected.database.destroy();
    },
  };
}

type StoreSettings = Pick<VerifyConfig, 'dataDir' | 'databaseUrl'>;

/** The file of the embedded store. */
export function storeFile({ dataDir }: Pick<VerifyConfig, 'dataDir'>): string {
  return join(dataDir, 'assay.db');
}

async function connect({ dataDir, databaseUrl }: StoreSettings): Promise<Connected | null> {
  if (databaseUrl !== null) {
    const { connectPostgres } = await import('../../adapters/store/postgres/open.ts');
    return connectPostgres({ url: databaseUrl, poolSize: POOL, statementTimeoutMs: 4_000 });
  }
  const file = storeFile({ dataDir });
  if (!existsSync(file)) return null;
  const { connectSqlite } = await import('../../adapters/store/sqlite/open.ts');
  return connectSqlite(file);
}

/** Small: the service needs its connections. */
const POOL = 3;

/** Null when it is neither set nor kept; a check creates no files. */
export function knownSecret(config: SecretConfig): string | null {
  return config.secret === null && !existsSync(join(config.dataDir, 'secret')) ? null : secretOf(config);
}

/** Where the service is: its public address, else where it listens; null when the port is not known. */
export function serviceAddress({ baseUrl, host, port }: VerifyConfig): string | null {
  if (baseUrl !== null) return baseUrl;
  return port === 0 ? null : `http://${reachable(host)}:${port}`;
}

/** A wildcard address is for listening only. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
