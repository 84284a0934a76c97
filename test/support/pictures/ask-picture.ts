import type { TestService } from '../running/running-service.ts';
import { type Picture, readPng } from './read-png.ts';

export interface AskedPicture {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** Throws if it is none. */
  picture(): Picture;
}

/** A picture through the socket: it is bytes, not text. */
export async function askPicture(
  { address }: Pick<TestService, 'address'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<AskedPicture> {
  const answer = await fetch(`${address}${path}`, { headers, redirect: 'manual' });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, bytes, picture: () => readPng(bytes) };
}
