import { parseArgs } from 'node:util';
import { type Place, readPlace } from '../sandbox/open-places.ts';

export interface SandboxOptions {
  /** 0 takes any free one. */
  readonly port: number;
  /** Places beside the sandbox's own sellers that may be probed. */
  readonly allowed: readonly Place[];
  /** One line of JSON instead of the guide. */
  readonly json: boolean;
  /** Pays the sellers that deliver for a call each, as `assay verify` does outside. */
  readonly verify: boolean;
  /** Reads the lists, checks every seller on them and publishes the run, as `assay crawl` does outside. */
  readonly crawl: boolean;
}

export type OptionsReading =
  | { readonly kind: 'options'; readonly options: SandboxOptions }
  | { readonly kind: 'help' }
  /** One line: what is wrong, and what would be right. */
  | { readonly kind: 'invalid'; readonly problem: string };

export const USAGE =
  'npm run sandbox -- [--port 4402] [--allow-target 127.0.0.1:PORT]... [--verify] [--crawl] [--json]';

const PORT = /^[0-9]{1,5}$/;
const PORT_MAX = 65_535;

/** `assay sandbox` leaves its own word in front of the arguments. */
export function readOptions(words: readonly string[]): OptionsReading {
  const parsed = parse(words[0] === 'sandbox' ? words.slice(1) : words);
  if (typeof parsed === 'string') return invalid(parsed);
  const { port, json, verify, crawl, help, 'allow-target': targets } = parsed;
  if (help) return { kind: 'help' };
  if (!PORT.test(port) || Number(port) > PORT_MAX) {
    return invalid('--port must be a number from 0 to 65535; 0 takes any free one');
  }
  const allowed = targets.map(readPlace).filter((place) => place !== null);
  if (allowed.length < targets.length) {
    return invalid('--allow-target must be an address of 127.0.0.0/8 and a port, such as 127.0.0.1:8080');
  }
  return { kind: 'options', options: { port: Number(port), allowed, json, verify, crawl } };
}

/** The values by name, or what is wrong, in the words of Node. */
function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        port: { type: 'string', default: '4402' },
        'allow-target': { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
        verify: { type: 'boolean', default: false },
        crawl: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (fault) {
    // The first sentence says it; more of them, on more lines, explain how to write dashes.
    return String(fault instanceof Error ? fault.message : fault).replace(/\.?(?:\n| This )[\s\S]*$/, '');
  }
}

function invalid(problem: string): OptionsReading {
  return { kind: 'invalid', problem: `${problem} (${USAGE})` };
}
