import { z } from 'zod';

/** The settings of the service. This file alone reads the environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
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
});

export function readConfig(environment: NodeJS.ProcessEnv = process.env): ConfigReading {
  const parsed = settings.safeParse(environment);
  if (parsed.success) return { kind: 'config', config: { host: parsed.data.HOST, port: parsed.data.PORT } };
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  return { kind: 'invalid', problem: problems.join('; ') };
}
