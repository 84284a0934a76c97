import * as z from 'zod';
import { trustedProxies } from '../../core/access/caller-address.ts';
import {
  CONNECTIONS_PER_ADDRESS,
  DRY_RUNS_PER_ADDRESS,
  FREE_LOOKUPS_PER_ADDRESS,
  FREE_SPOT_CHECKS_PER_ADDRESS,
  GAS_FEE_MAX_WEI,
  GAS_LIMIT_MAX,
  PAID_SPOT_CHECKS_PER_HOUR,
  PRICED_PROBES_PER_HOUR,
  PROBES_PER_HOST_MINUTE,
  READS_PER_ADDRESS_MINUTE,
  REQUESTS_PER_ADDRESS,
  VANTAGE_FROM,
} from '../../core/limits.ts';
import { isOptOut } from '../../core/url/opt-outs.ts';
import { canonicalAddress } from '../../core/url/public-address.ts';
import { isOrigin, isWallet } from './setting-checks.ts';
import {
  address,
  between,
  database,
  facilitatorAuth,
  folder,
  limit,
  listOf,
  port,
  privateKey,
  publicAddress,
  secret,
  seed,
  usd,
} from './setting-kinds.ts';

/** The settings of the service. Nothing else in it reads the environment. */
export type Config = z.output<typeof settings>;

export type ConfigReading =
  | { readonly kind: 'config'; readonly config: Config }
  /** One line for the operator: which setting, and what it should be. */
  | { readonly kind: 'invalid'; readonly problem: string };

/** Public and without a key; an operator with real sales should choose another one. */
const FACILITATOR = 'https://facilitator.payai.network';
/** Base's public node; used only for settlements without a known outcome. */
const NODE = 'https://mainnet.base.org';

const settings = z
  .object({
    HOST: z.string().min(1, 'must be an address to listen on').default('127.0.0.1'),
    PORT: port('must be a port number').default(4402),
    DATA_DIR: folder.default('data'),
    DATABASE_URL: database.nullable().default(null),
    DATABASE_READ_URL: database.nullable().default(null),
    DATABASE_POOL: between(1, 100, 10),
    DATABASE_WAIT_SECONDS: between(0, 600, 30),
    DRAIN_SECONDS: between(0, 600, 0),
    BASE_URL: publicAddress.nullable().default(null),
    ALT_URL: publicAddress.nullable().default(null),
    LEGACY_URL: publicAddress.nullable().default(null),
    ARCHIVE_URL: publicAddress.nullable().default(null),
    PAY_TO: z
      .string()
      .refine(isWallet, 'must be an EVM address that can receive USDC')
      .nullable()
      .default(null),
    FACILITATOR_URL: address.nullable().default(null),
    FACILITATOR_AUTH: facilitatorAuth.default({}),
    RPC_URL: address.nullable().default(null),
    GAS_KEY: privateKey.nullable().default(null),
    GAS_LIMIT_MAX: between(60_000, 30_000_000, GAS_LIMIT_MAX),
    GAS_FEE_MAX_WEI: z
      .string()
      .regex(/^[0-9]{1,15}$/, 'must be a whole number')
      .transform(BigInt)
      .default(BigInt(GAS_FEE_MAX_WEI)),
    CONTRACT_PAYERS: z.enum(['refuse', 'allow'], 'must be refuse or allow').default('refuse'),
    SELF_TEST_KEY: secret.nullable().default(null),
    SECRET: secret.nullable().default(null),
    TRUSTED_PROXIES: listOf(
      (entry) => trustedProxies([entry]).unreadable.length === 0,
      'must be addresses and CIDR blocks, such as 10.0.0.0/8',
    ),
    MCP_ORIGINS: listOf(
      (entry) => entry === '*' || isOrigin(entry),
      'must be * or web addresses such as https://app.example.com',
    ),
    CRAWL: z.enum(['off', 'weekly'], 'must be off or weekly').default('off'),
    BLOCKED_HOSTS: listOf(isOptOut, 'must be host names, addresses or networks'),
    OWN_ADDRESSES: listOf((entry) => canonicalAddress(entry) !== null, 'must be IP addresses'),
    METRICS_HOST: z.string().min(1, 'must be an address to listen on').default('127.0.0.1'),
    METRICS_PORT: port('must be a port number').nullable().default(null),
    LOG_LEVEL: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'must be a level such as info')
      .default('info'),
    LOG_FORMAT: z.enum(['json', 'text'], 'must be json or text').nullable().default(null),
    LOG_ORIGIN: z
      .string()
      .regex(/^[a-z0-9.:/-]{3,128}$/, 'must be a name such as assay.example.com/log')
      .nullable()
      .default(null),
    LOG_KEY: seed.nullable().default(null),
    LOG_KEY_OLD: seed.nullable().default(null),
    LOG_POLICY: z.string().min(1, 'must be a file').nullable().default(null),
    VANTAGES: z.string().min(1, 'must be a file').nullable().default(null),
    VANTAGE_FROM_USD: usd.default(VANTAGE_FROM),
    CONTACT: z
      .string()
      .regex(/^(?:mailto:|https:\/\/)[\x21-\x7e]{3,200}$/, 'must begin with mailto: or https://')
      .nullable()
      .default(null),
    CONNECTIONS_PER_ADDRESS: between(1, 10_000, CONNECTIONS_PER_ADDRESS),
    REQUESTS_PER_ADDRESS: between(1, 100_000, REQUESTS_PER_ADDRESS),
    READS_PER_ADDRESS_MINUTE: between(1, 10_000_000, READS_PER_ADDRESS_MINUTE),
    FREE_LOOKUPS_PER_ADDRESS: limit(FREE_LOOKUPS_PER_ADDRESS),
    FREE_CHECKS_PER_ADDRESS: limit(FREE_SPOT_CHECKS_PER_ADDRESS),
    DRY_RUNS_PER_ADDRESS: limit(DRY_RUNS_PER_ADDRESS),
    PAID_CHECKS_PER_HOUR: limit(PAID_SPOT_CHECKS_PER_HOUR),
    PRICED_PROBES_PER_HOUR: limit(PRICED_PROBES_PER_HOUR),
    PROBES_PER_HOST_MINUTE: limit(PROBES_PER_HOST_MINUTE),
  })
  .refine(({ GAS_KEY, RPC_URL }) => GAS_KEY === null || RPC_URL !== null, {
    path: ['GAS_KEY'],
    message: 'needs RPC_URL, a node of Base to settle on',
  })
  .refine(({ GAS_KEY, FACILITATOR_URL }) => GAS_KEY === null || FACILITATOR_URL === null, {
    path: ['GAS_KEY'],
    message: 'settles by itself and cannot be set together with FACILITATOR_URL',
  })
  .refine((read) => read.DATABASE_READ_URL === null || read.DATABASE_URL !== null, {
    path: ['DATABASE_READ_URL'],
    message: 'needs DATABASE_URL, the database that it follows',
  })
  .transform((read) => ({
    host: read.HOST,
    port: read.PORT,
    /** Where the embedded store keeps its file, and where a generated secret is kept. */
    dataDir: read.DATA_DIR,
    /** A PostgreSQL server instead of the embedded store. */
    databaseUrl: read.DATABASE_URL,
    /** A standby of it, for pages. */
    databaseReadUrl: read.DATABASE_READ_URL,
    /** Size of the connection pool of each process. */
    databasePool: read.DATABASE_POOL,
    /** How long a service waits at its start for a database that is not up yet. */
    databaseWaitSeconds: read.DATABASE_WAIT_SECONDS,
    /** How long the service keeps serving after a stop signal, so that load balancers notice. */
    drainSeconds: read.DRAIN_SECONDS,
    /** Public addresses as origins; the default is the address it listens on. */
    baseUrl: read.BASE_URL,
    altUrl: read.ALT_URL,
    legacyUrl: read.LEGACY_URL,
    /** Where the files of retired receipts are served. */
    archiveUrl: read.ARCHIVE_URL,
    payTo: read.PAY_TO,
    facilitator:
      read.GAS_KEY !== null && read.RPC_URL !== null
        ? ({
            kind: 'built_in',
            rpcUrl: read.RPC_URL,
            gasKey: read.GAS_KEY,
            ceilings: { gas: BigInt(read.GAS_LIMIT_MAX), feeWei: read.GAS_FEE_MAX_WEI },
            contractPayers: read.CONTRACT_PAYERS,
          } as const)
        : ({
            kind: 'http',
            url: read.FACILITATOR_URL ?? FACILITATOR,
            headers: read.FACILITATOR_AUTH,
          } as const),
    /** The node to ask for the outcome of a payment; `isChosen` when the operator configured it. */
    node: { url: read.RPC_URL ?? NODE, isChosen: read.RPC_URL !== null },
    selfTestKey: read.SELF_TEST_KEY,
    secret: read.SECRET,
    trustedProxies: read.TRUSTED_PROXIES,
    ownAddresses: read.OWN_ADDRESSES,
    /** Origins that may call /mcp in addition to our own; * for all. */
    mcpOrigins: read.MCP_ORIGINS,
    /** Whether the service itself reads the public lists once a week. */
    crawl: read.CRAWL,
    /** No request goes there: no check, no list, no crawl (gap G77). */
    blockedHosts: read.BLOCKED_HOSTS,
    /** Not the address of the service: metrics are for the operator (gap G84). */
    metricsHost: read.METRICS_HOST,
    metricsPort: read.METRICS_PORT,
    logLevel: read.LOG_LEVEL,
    /** Null: text on a terminal, else JSON. */
    logFormat: read.LOG_FORMAT,
    /** The transparency log. Its keys come from the secret unless they are set; the old one signs beside the new one. */
    transparency: {
      /** The name of a log that begins; one that has begun keeps its name, and refuses another one that is set. */
      origin: read.LOG_ORIGIN ?? `${hostOf(read.BASE_URL)}/log`,
      isOriginSet: read.LOG_ORIGIN !== null,
      key: read.LOG_KEY,
      oldKey: read.LOG_KEY_OLD,
      /** A file that names the witnesses. */
      policyFile: read.LOG_POLICY,
    },
    /** A file that names other points of view, the lowest price whose approval needs them, and the name of our key there. */
    vantages: {
      file: read.VANTAGES,
      fromPrice: read.VANTAGE_FROM_USD,
      clientName: `${hostOf(read.BASE_URL)}/vantages`,
    },
    contact: read.CONTACT,
    /** Connections, requests under way, and requests in a minute, of one address (gap G102). */
    connectionsPerAddress: read.CONNECTIONS_PER_ADDRESS,
    requestsPerAddress: read.REQUESTS_PER_ADDRESS,
    readsPerAddressMinute: read.READS_PER_ADDRESS_MINUTE,
    ceilings: {
      lookup: read.FREE_LOOKUPS_PER_ADDRESS,
      spot_check: read.FREE_CHECKS_PER_ADDRESS,
      dry_run: read.DRY_RUNS_PER_ADDRESS,
    },
    paidChecksPerHour: read.PAID_CHECKS_PER_HOUR,
    pricedProbesPerHour: read.PRICED_PROBES_PER_HOUR,
    probesPerHostMinute: read.PROBES_PER_HOST_MINUTE,
  }));

function hostOf(baseUrl: string | null): string {
  return baseUrl === null ? 'localhost' : new URL(baseUrl).host;
}

export function environment(): NodeJS.ProcessEnv {
  return process.env;
}

/** An empty variable counts as unset. */
export function readConfig(variables: NodeJS.ProcessEnv = environment()): ConfigReading {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = settings.safeParse(set, { jitless: true });
  if (parsed.success) return { kind: 'config', config: parsed.data };
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  return { kind: 'invalid', problem: problems.join('; ') };
}
