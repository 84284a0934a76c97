import { describe, expect, it } from 'vitest';
import { boundedBody } from './bounded-body.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a body that is collected up to a limit', () => {
  it('holds what fits, in order', () => {
    const body = boundedBody(10);
    expect([body.append(bytes('abc')), body.append(bytes('')), body.append(bytes('defghij'))]).toEqual([
      true,
      true,
      true,
    ]);
    expect(body.bytes().toString()).toBe('abcdefghij');
  });

  it('takes the part that fits of the chunk that is too much, and nothing after it', () => {
    const body = boundedBody(5);
    expect([body.append(bytes('abcdefg')), body.append(bytes('h'))]).toEqual([false, false]);
    expect(body.bytes().toString()).toBe('abcde');
  });

  it('is one buffer, however small the chunks, and none larger than the limit', () => {
    const body = boundedBody(100_000);
    for (let at = 0; at < 100_001; at += 1) body.append(bytes('x'));
    expect(body.bytes().byteLength).toBe(100_000);
    expect(body.bytes().buffer.byteLength).toBeLessThanOrEqual(100_000);
  });

  it('keeps its own copy', () => {
    const chunk = bytes('abc');
    const body = boundedBody(10);
    body.append(chunk);
    chunk.fill(0);
    expect(body.bytes().toString()).toBe('abc');
  });
});
