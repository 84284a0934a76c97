import * as z from 'zod';
import { VERIFY_CAPS } from '../../core/known-answer/verify-caps.ts';
import { type Config, environment, readConfig } from './config.ts';
import { privateKey, usd } from './setting-kinds.ts';

/** The settings of the known-answer runner: those of the service, plus a key that the service never reads. */
export interface VerifyConfig extends Config {
  readonly buyerKey: `0x${string}` | null;
  readonly caps: typeof VERIFY_CAPS;
}

export type VerifyConfigReading =
  | { readonly kind: 'config'; readonly config: VerifyConfig }
  | { readonly kind: 'invalid'; readonly problem: string };

const settings = z
  .object({
    BUYER_KEY: privateKey.nullable().default(null),
    VERIFY_CAP_CALL: usd.default(VERIFY_CAPS.perCall),
    VERIFY_CAP_DAY: usd.default(VERIFY_CAPS.perDay),
    VERIFY_CAP_TOTAL: usd.default(VERIFY_CAPS.total),
  })
  .transform(({ BUYER_KEY, VERIFY_CAP_CALL, VERIFY_CAP_DAY, VERIFY_CAP_TOTAL }) => ({
    buyerKey: BUYER_KEY,
    caps: { perCall: VERIFY_CAP_CALL, perDay: VERIFY_CAP_DAY, total: VERIFY_CAP_TOTAL },
  }));

export function readVerifyConfig(variables: NodeJS.ProcessEnv = environment()): VerifyConfigReading {
  const own = settings.safeParse(
    Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== '')),
  );
  if (!own.success) {
    const problems = own.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    return { kind: 'invalid', problem: problems.join('; ') };
  }
  const reading = readConfig(variables);
  return reading.kind === 'invalid'
    ? reading
    : { kind: 'config', config: { ...reading.config, ...own.data } };
}
