const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
};

/** A JSON log line as text: time, message, and the rest as name=value. */
export function textLine(json: string): string {
  // Our own line, written by pino a moment ago.
  const { time, level, msg, ...rest } = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const words = msg === 'request' ? requestWords(rest) : [LEVELS[Number(level)], msg, ...pairs(rest)];
  return `${[new Date(Number(time)).toISOString(), ...words].join(' ')}\n`;
}

function requestWords({ method, route, status, ms, ...rest }: Readonly<Record<string, unknown>>): unknown[] {
  return [method, route, status, `${ms}ms`, ...pairs(rest)];
}

function pairs(members: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(members).map(([name, value]) => `${name}=${shown(value)}`);
}

/** Quoted if it contains a blank; control characters are always escaped. */
function shown(value: unknown): string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : JSON.stringify(value);
}
