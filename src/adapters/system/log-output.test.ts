import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogOutput, type LogOutputOptions } from './log-output.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An output that takes a few bytes of each write, or none at all. */
function outputThatTakes(bytes: number, gathers = 1) {
  const told = { bytes, attempts: 0, text: '' };
  const writeTo: LogOutputOptions['writeTo'] = (_, chunk, done) => {
    told.attempts += 1;
    if (told.bytes === 0) return done(new Error('ENOSPC: no space left on device'), 0);
    const taken = chunk.subarray(0, told.bytes);
    told.text += taken.toString('latin1');
    done(null, taken.length);
  };
  const output = createLogOutput(1, { gathers, writeTo });
  return { told, output };
}

describe('the output of a log', () => {
  it('gets the rest of what it took in part', () => {
    const { told, output } = outputThatTakes(3);
    output.write('one line\n');
    output.write('another one\n');
    expect(told.text).toBe('one line\nanother one\n');
  });

  it('gets gathered lines at once when they are enough, else within a second', () => {
    const { told, output } = outputThatTakes(1_000, 10);
    output.write('one\n');
    expect(told.attempts).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect([told.attempts, told.text]).toEqual([1, 'one\n']);
    output.write('two\n');
    output.write('three\n');
    expect([told.attempts, told.text]).toEqual([2, 'one\ntwo\nthree\n']);
  });

  it('without room is tried ten times a second, however much is written, and gets it all in order later', () => {
    const { told, output } = outputThatTakes(0);
    for (let n = 0; n < 1_000; n += 1) output.write(`${n}\n`);
    vi.advanceTimersByTime(1_050);
    expect(told.attempts).toBe(11);
    told.bytes = 1_000_000;
    vi.advanceTimersByTime(100);
    expect(told.text).toBe(Array.from({ length: 1_000 }, (_, n) => `${n}\n`).join(''));
  });

  it('drops lines beyond 16 MB', () => {
    const { told, output } = outputThatTakes(0);
    const line = `${'x'.repeat(999_999)}\n`;
    for (let n = 0; n < 40; n += 1) output.write(line);
    told.bytes = 100_000_000;
    vi.advanceTimersByTime(100);
    expect(told.text.length).toBe(17_000_000);
  });
});
