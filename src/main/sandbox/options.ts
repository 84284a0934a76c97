import type { Arguments } from '../../cli/read-arguments.ts';
import { type Place, readPlace } from '../../sandbox/open-places.ts';

export interface SandboxOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Targets in addition to the sandbox's own sellers. */
  readonly allowed: readonly Place[];
  /** One line of JSON instead of the guide. */
  readonly json: boolean;
  /** Pays for a few calls to each seller that delivers, like `assay verify`. By default it does both. */
  readonly verify: boolean;
  /** Crawls the sandbox's lists and publishes the run, like `assay crawl`. */
  readonly crawl: boolean;
}

export type OptionsReading =
  | { readonly kind: 'options'; readonly options: SandboxOptions }
  /** One line: what is wrong, and what would be right. */
  | { readonly kind: 'invalid'; readonly problem: string };

const PORT_DEFAULT = '4402';
const PORT = /^[0-9]{1,5}$/;
const PORT_MAX = 65_535;

export function readSandboxOptions(given: Arguments): OptionsReading {
  const port = given.text('--port') ?? PORT_DEFAULT;
  if (!PORT.test(port) || Number(port) > PORT_MAX) {
    return { kind: 'invalid', problem: '--port must be a number from 0 to 65535; 0 takes any free port' };
  }
  const targets = given.all('--allow-target');
  const allowed = targets.map(readPlace).filter((place) => place !== null);
  if (allowed.length < targets.length) {
    const problem = '--allow-target must be an address of 127.0.0.0/8 and a port, such as 127.0.0.1:8080';
    return { kind: 'invalid', problem };
  }
  const only = { verify: given.has('--verify'), crawl: given.has('--crawl') };
  const bare = given.has('--bare');
  if (bare && (only.verify || only.crawl)) {
    return { kind: 'invalid', problem: '--bare cannot be used together with --verify or --crawl' };
  }
  return {
    kind: 'options',
    options: {
      port: Number(port),
      allowed,
      json: given.has('--json'),
      verify: !bare && (only.verify || !only.crawl),
      crawl: !bare && (only.crawl || !only.verify),
    },
  };
}
