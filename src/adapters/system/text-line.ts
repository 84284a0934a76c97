const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  40: 'warn',
  50: 'error',
};

type Members = Readonly<Record<string, unknown>>;

/** A JSON log line for a person: the time, what happened, and the rest as name=value. */
export function textLine(json: string, colour: boolean): string {
  // Our own line, written by pino a moment ago.
  const { time, level, msg, ...rest } = JSON.parse(json) as Members;
  const words = msg === 'request' ? requestWords(rest, colour) : eventWords(Number(level), msg, rest, colour);
  return `${[new Date(Number(time)).toISOString().replace(/\.\d+/, ''), ...words].join(' ')}\n`;
}

const FAULTS = 500;

/** The id only with a fault, where it leads to the line with the cause. */
function requestWords(
  { id, method, route, path = route, status, ms, trace: _, ...rest }: Members,
  colour: boolean,
): unknown[] {
  const end = Number(status) < FAULTS ? [] : pairs({ id });
  const facts = Object.values(rest).map(shown);
  return [
    painted(status, statusColour(Number(status)), colour),
    method,
    shown(path),
    `${ms}ms`,
    ...facts,
    ...end,
  ];
}

function eventWords(level: number, msg: unknown, rest: Members, colour: boolean): unknown[] {
  const name = LEVELS[level];
  const said = name === undefined ? [msg] : [painted(name, level >= 50 ? RED : YELLOW, colour), msg];
  return [...said, ...pairs(rest)];
}

function pairs(members: Members): string[] {
  return Object.entries(members).map(([name, value]) => `${name}=${shown(value)}`);
}

/** Quoted if it contains a blank; control characters are always escaped. */
function shown(value: unknown): string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : JSON.stringify(value);
}

const [RED, GREEN, YELLOW] = ['31', '32', '33'];

function statusColour(status: number): string | undefined {
  if (status >= FAULTS) return RED;
  return status >= 400 ? YELLOW : GREEN;
}

function painted(text: unknown, code: string | undefined, colour: boolean): string {
  return colour ? `\u001b[${code}m${text}\u001b[0m` : String(text);
}
