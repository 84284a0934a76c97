import { derivedSeed, ed25519Signer } from '../../adapters/log/ed25519-signer.ts';
import type { Log } from '../../adapters/system/log.ts';
import { createHttpVantages, type OnVantageAnswer } from '../../adapters/vantage/http-vantages.ts';
import type { VantageShare } from '../../adapters/vantage/vantage-health.ts';
import type { NoteSigner } from '../../core/log/note.ts';
import { parseVantages, type VantageList } from '../../core/vantage/vantage-files.ts';
import type { Vantages } from '../../ports/vantages.ts';
import { SYSTEM } from '../build/system.ts';
import type { Config } from '../config/config.ts';
import { isConfidentialUrl } from '../config/setting-checks.ts';
import { invalidFile, readSettingFile } from '../config/setting-file.ts';

const SETTING = 'VANTAGES';

/** The key by which vantages know this service; every process with the same secret has it, and it signs nothing else. */
export function vantageClient({ vantages }: Pick<Config, 'vantages'>, secret: string): NoteSigner {
  return ed25519Signer(vantages.clientName, derivedSeed(secret, 'assay vantages v1'));
}

export interface ServiceVantageParts {
  readonly secret: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly onAnswer?: OnVantageAnswer | undefined;
  /** That of checks when it is left out. */
  readonly share?: VantageShare;
}

/** Whom the service asks for a second point of view; nobody without VANTAGES. */
export function serviceVantages(
  config: Pick<Config, 'vantages'>,
  { secret, log, onAnswer, share }: ServiceVantageParts,
): Vantages | undefined {
  const { file, fromPrice } = config.vantages;
  if (file === null) return undefined;
  return createHttpVantages({
    ...readVantages(file),
    ...SYSTEM,
    fromPrice,
    signer: vantageClient(config, secret),
    onAnswer: onAnswer ?? (() => {}),
    share,
    onChange: (vantage, isAnswering, why) => {
      if (isAnswering) log.info({ vantage }, 'vantage answers');
      else log.warn({ vantage, why }, 'vantage does not answer');
    },
  });
}

/** The file of VANTAGES. Its faults are one line for the operator. */
export function readVantages(file: string): VantageList {
  const list = parseVantages(readSettingFile(SETTING, file));
  if ('fault' in list) throw invalidFile(SETTING, file, `line ${list.line}: ${list.fault}`);
  for (const { name, url } of list.vantages) {
    if (!isConfidentialUrl(url)) {
      throw invalidFile(
        SETTING,
        file,
        `vantage ${name} needs an https address (http on this machine only), without a query`,
      );
    }
  }
  return list;
}
