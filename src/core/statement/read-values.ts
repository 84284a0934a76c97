import { type MicroUsd, microUsd } from '../money/micro-usd.ts';
import { type Caip2, parseNetwork } from '../x402/networks.ts';
import { isJsonObject, type JsonObject, member } from '../x402/read-json.ts';
import { parseUint256 } from '../x402/uint256.ts';

/**
 * Readers of one value each. They throw on anything else, and `readStatement` answers null: written without a library, because
 * they are part of the rules file and read files of strangers.
 */
export function wrong(what: string): never {
  throw new Error(`not a statement: ${what}`);
}

/** The members of an object by name; undefined for one that is absent. */
export type Members = (name: string) => unknown;

export function membersOf(value: unknown): Members {
  const object: JsonObject = isJsonObject(value) ? value : wrong('no object');
  return (name) => member(object, name);
}

/** Longer than any URL, name or sentence that we write. */
const TEXT_MAX_CHARS = 8_192;

export function text(value: unknown): string {
  return typeof value === 'string' && value.length <= TEXT_MAX_CHARS ? value : wrong('no short text');
}

/** Text of a stranger: without spaces, and no longer than this. */
export function token(value: unknown): string {
  return typeof value === 'string' && TOKEN.test(value) ? value : wrong('no token');
}

const TOKEN = /^[\x21-\x7e]{1,128}$/;

export function hexHash(value: unknown): string {
  return typeof value === 'string' && SHA256.test(value) ? value : wrong('no SHA-256');
}

const SHA256 = /^[0-9a-f]{64}$/;

export function saltText(value: unknown): string {
  return typeof value === 'string' && SALT.test(value) ? value : wrong('no salt');
}

/** 16 bytes in base64url; the last character has two bits. */
const SALT = /^[A-Za-z0-9_-]{21}[AQgw]$/;

export function signatureText(value: unknown): string {
  return typeof value === 'string' && SIGNATURE.test(value) ? value : wrong('no signature');
}

/** 64 bytes in base64; the last character has two bits. */
const SIGNATURE = /^[A-Za-z0-9+/]{85}[AQgw]==$/;

export function whole(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : wrong('no count');
}

export function status(value: unknown): number {
  const code = whole(value);
  return code <= 999 ? code : wrong('no HTTP status');
}

/** Up to the end of the year 9999. */
export function instantMs(value: unknown): number {
  const ms = whole(value);
  return ms <= LAST_MS ? ms : wrong('no instant');
}

const LAST_MS = 253_402_300_799_999;

export function time(value: unknown): Date {
  if (typeof value !== 'string' || !ISO.test(value)) return wrong('no time');
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? wrong('no time') : date;
}

const ISO = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;

export function amount(value: unknown): bigint {
  return parseUint256(value) ?? wrong('no amount');
}

export function money(value: unknown): MicroUsd {
  return microUsd(amount(value));
}

export function network(value: unknown): Caip2 {
  const name = token(value);
  const known = parseNetwork(name);
  return known === name ? known : wrong('no network in CAIP-2 form');
}

/** Absent for false. */
export function flag(value: unknown): boolean {
  if (value !== undefined && value !== true) return wrong('no flag');
  return value === true;
}

export function oneOf<const Word extends string | number>(value: unknown, words: readonly Word[]): Word {
  return words.find((word) => word === value) ?? wrong('no such word');
}

/** Null for a member that is absent. */
export function optional<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === undefined ? null : read(value);
}

export function listOf<T>(value: unknown, max: number, read: (value: unknown) => T): readonly T[] {
  return Array.isArray(value) && value.length <= max ? value.map((one) => read(one)) : wrong('no short list');
}
