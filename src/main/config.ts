import { z } from 'zod';

/** The settings of the service. This file alone reads the environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Where the embedded store keeps its file. */
  readonly dataDir: string;
  /** A PostgreSQL server instead of the embedded store. */
  readonly databaseUrl: string | null;
}

export type ConfigReading =
  | { readonly kind: 'config'; readonly config: Config }
  /** One line for the operator: which setting, and what it should be. */
  | { readonly kind: 'invalid'; readonly problem: string };

const settings = z.object({
  HOST: z.string().min(1, 'must be an address to listen on').default('127.0.0.1'),
  PORT: z
    .string()
    .regex(/^[0-9]{1,5}$/, 'must be a port number')
    .transform(Number)
    .refine((port) => port <= 65_535, 'must be at most 65535')
    .default(4402),
  DATA_DIR: z.string().min(1, 'must be a folder').default('data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'must begin with postgres://')
    .optional(),
});

export function readConfig(environment: NodeJS.ProcessEnv = process.env): ConfigReading {
  const parsed = settings.safeParse(environment);
  if (parsed.success) {
    const { HOST: host, PORT: port, DATA_DIR: dataDir, DATABASE_URL: databaseUrl = null } = parsed.data;
    return { kind: 'config', config: { host, port, dataDir, databaseUrl } };
  }
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  return { kind: 'invalid', problem: problems.join('; ') };
}
