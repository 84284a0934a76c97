import { onTestFinished, vi } from 'vitest';

/** More than any deadline of a probe. */
const LONG_MS = 3_600_000;

/** Until the end of the test no timeout comes on its own: a deadline is an event of the test, on a busy machine too. */
export function holdTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return {
    pass: (milliseconds: number) => void vi.advanceTimersByTime(milliseconds),
    runOut: () => void vi.advanceTimersByTime(LONG_MS),
  };
}
