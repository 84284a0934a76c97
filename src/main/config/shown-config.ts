import { formatUsd } from '../../core/money/micro-usd.ts';
import type { Config } from './config.ts';

/** Every setting for the log, without secrets. */
export function shownConfig(config: Config): Record<string, unknown> {
  const {
    databaseUrl,
    databaseReadUrl,
    selfTestKey,
    secret: key,
    facilitator,
    node,
    transparency,
    vantages,
    ...rest
  } = config;
  const hidden = (value: string | null) => (value === null ? null : 'set');
  return {
    ...rest,
    // URLs of nodes and facilitators often contain a key.
    facilitator: facilitator.kind === 'http' ? new URL(facilitator.url).origin : 'built in',
    node: new URL(node.url).origin,
    vantages: { ...vantages, fromPrice: formatUsd(vantages.fromPrice) },
    databaseUrl: hidden(databaseUrl),
    databaseReadUrl: hidden(databaseReadUrl),
    selfTestKey: hidden(selfTestKey),
    secret: hidden(key),
    transparency: {
      ...transparency,
      key: transparency.key === null ? null : 'set',
      oldKey: transparency.oldKey === null ? null : 'set',
    },
  };
}
