/** Pauses on `setInterval` alone, which a test can fake while the store goes on with `setTimeout`. */
export function intervalPause(milliseconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearInterval(timer);
      stop.removeEventListener('abort', end);
      resolve();
    };
    const timer = setInterval(end, milliseconds);
    stop.addEventListener('abort', end, { once: true });
  });
}
